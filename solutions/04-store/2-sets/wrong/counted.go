// Misconception: what was added twice has to be taken out twice.
// Caught by: TestRepeatedValue
// Message: the belief that what comes twice has to go twice

//go:build wrong

package sets

import (
	"fmt"
	"maps"
	"slices"
)

// Index counts how often a key stands under a value.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string]map[string]bool // the set of each key
	keys   map[string]map[string]int  // how often each key stands under each value
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, sets: map[string]map[string]bool{}, keys: map[string]map[string]int{}}
}

func (x *Index[T]) Put(key string, object T) error {
	values, err := x.values(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.Delete(key)
	x.sets[key] = map[string]bool{}
	for _, value := range values {
		if x.keys[value] == nil {
			x.keys[value] = map[string]int{}
		}
		x.keys[value][key]++
		x.sets[key][value] = true
	}
	return nil
}

func (x *Index[T]) Delete(key string) {
	for value := range x.sets[key] {
		x.keys[value][key]-- // wrong: it may have been counted twice
		if x.keys[value][key] == 0 {
			delete(x.keys[value], key)
		}
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.sets, key)
}

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	keys := map[string]int{}
	for value := range set {
		maps.Copy(keys, x.keys[value])
	}
	return slices.Sorted(maps.Keys(keys)), nil
}
