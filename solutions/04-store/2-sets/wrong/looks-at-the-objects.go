// Misconception: an index that looks at the objects for each answer cannot be out of date.
// Caught by: TestChangedObject
// Message: the belief that the object that was put says what its set was

//go:build wrong

package sets

import (
	"fmt"
	"maps"
	"slices"
)

// Index keeps the objects.
type Index[T any] struct {
	values  func(object T) ([]string, error)
	objects map[string]T
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, objects: map[string]T{}}
}

func (x *Index[T]) Put(key string, object T) error {
	if _, err := x.values(object); err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.objects[key] = object
	return nil
}

func (x *Index[T]) Delete(key string) { delete(x.objects, key) }

func (x *Index[T]) Keys(value string) []string { return x.having(map[string]bool{value: true}) }

func (x *Index[T]) Values() []string {
	values := map[string]bool{}
	for _, object := range x.objects {
		set, _ := x.set(object) // wrong: it may have changed since it was put
		maps.Copy(values, set)
	}
	return slices.Sorted(maps.Keys(values))
}

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	return x.having(set), nil
}

// having returns the keys whose object has one of these values.
func (x *Index[T]) having(values map[string]bool) []string {
	var keys []string
	for key, object := range x.objects {
		set, _ := x.set(object)
		for value := range set {
			if values[value] {
				keys = append(keys, key)
				break
			}
		}
	}
	slices.Sort(keys)
	return keys
}
