// Misconception: what an update has to take out is the slice of the update before.
// Caught by: TestTheSliceOfValues
// Message: the belief that a slice is a value

//go:build wrong

package sets

import "fmt"

// Index remembers what values has returned.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string][]string        // the set of each key
	keys   map[string]map[string]bool // the keys of each value
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, sets: map[string][]string{}, keys: map[string]map[string]bool{}}
}

func (x *Index[T]) Put(key string, object T) error {
	old := x.sets[key]
	set, err := x.values(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.remove(key, old)
	x.sets[key] = set // wrong: values may use it again
	for _, value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	return nil
}

func (x *Index[T]) Delete(key string) {
	x.remove(key, x.sets[key])
	delete(x.sets, key)
}

// remove takes key out of the sets of these values.
func (x *Index[T]) remove(key string, set []string) {
	for _, value := range set {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
}
