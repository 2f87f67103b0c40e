// Misconception: a pointer is a name for its object, and there is one for each key.
// Caught by: TestDelete
// Message: then Delete of db, the index is empty

//go:build wrong

package sets

import "fmt"

// Index remembers the set of each object.
type Index[T any] struct {
	values  func(object T) ([]string, error)
	objects map[string]T
	sets    map[any]map[string]bool    // the set of each object
	keys    map[string]map[string]bool // the keys of each value
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{
		values:  values,
		objects: map[string]T{},
		sets:    map[any]map[string]bool{},
		keys:    map[string]map[string]bool{},
	}
}

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.Delete(key)
	x.objects[key] = object
	x.sets[any(object)] = set
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	return nil
}

func (x *Index[T]) Delete(key string) {
	object, ok := x.objects[key]
	if !ok {
		return
	}
	for value := range x.sets[any(object)] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.sets, any(object)) // wrong: it may be there under another key, too
	delete(x.objects, key)
}
