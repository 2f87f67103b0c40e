// Misconception: what a list brings again, the same pointer, has not changed.
// Caught by: TestChangedObject
// Message: the belief that the same pointer is the same object as before

//go:build wrong

package sets

import "fmt"

// Index remembers which object it has seen last.
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
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.put(key, object, set)
	return nil
}

func (x *Index[T]) put(key string, object T, set map[string]bool) {
	x.Delete(key)
	x.objects[key] = object
	x.sets[key] = set
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
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

func (x *Index[T]) Replace(objects map[string]T) error {
	fresh := New(x.values)
	for key, object := range objects {
		_, isFunction := any(object).(func() []string)
		if old, ok := x.objects[key]; ok && !isFunction && any(old) == any(object) {
			fresh.put(key, object, x.sets[key]) // wrong: it may have changed
			continue
		}
		if err := fresh.Put(key, object); err != nil {
			return err
		}
	}
	*x = *fresh
	return nil
}
