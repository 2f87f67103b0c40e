// Misconception: what a failure has destroyed is put back from the old object.
// Caught by: TestManyCalls
// Message: , the index is

//go:build wrong

package sets

import "fmt"

// Index remembers the objects.
type Index[T any] struct {
	values  func(object T) ([]string, error)
	objects map[string]T
	sets    map[string]map[string]bool // the set of each key
	keys    map[string]map[string]bool // the keys of each value
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{
		values:  values,
		objects: map[string]T{},
		sets:    map[string]map[string]bool{},
		keys:    map[string]map[string]bool{},
	}
}

func (x *Index[T]) Put(key string, object T) error {
	old, had := x.objects[key]
	x.Delete(key)
	set, err := x.set(object)
	if err != nil {
		if had {
			x.Put(key, old) // wrong: it may have changed since
		}
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.objects[key] = object
	x.sets[key] = set
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	return nil
}

func (x *Index[T]) Delete(key string) {
	for value := range x.sets[key] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.sets, key)
	delete(x.objects, key)
}
