// Misconception: the object that was put says, when it goes, under which values it stands. So does upstream.
// Caught by: TestChangedObject
// Message: the belief that the object that was put says what its set was

//go:build wrong

package sets

import "fmt"

// Index remembers the object of each key.
type Index[T any] struct {
	values  func(object T) ([]string, error)
	objects map[string]T
	keys    map[string]map[string]bool // the keys of each value
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, objects: map[string]T{}, keys: map[string]map[string]bool{}}
}

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.Delete(key)
	x.objects[key] = object
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
	set, _ := x.set(object) // wrong: that is what it would be now
	for value := range set {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.objects, key)
}
