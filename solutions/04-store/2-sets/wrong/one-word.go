// Misconception: 64 keys are more than anybody puts: a bit for each.
// Caught by: TestSorted
// Message: instead of

//go:build wrong

package sets

import (
	"fmt"
	"maps"
	"slices"
)

// Index has a number for each key, and a bit for it in each set.
type Index[T any] struct {
	values  func(object T) ([]string, error)
	numbers map[string]int    // of each key
	keys    map[string]uint64 // the keys of each value
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, numbers: map[string]int{}, keys: map[string]uint64{}}
}

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.Delete(key)
	n := 0
	for slices.Contains(slices.Collect(maps.Values(x.numbers)), n) {
		n++
	}
	x.numbers[key] = n
	for value := range set {
		x.keys[value] |= 1 << n // wrong: there are 64
	}
	return nil
}

func (x *Index[T]) Delete(key string) {
	n, ok := x.numbers[key]
	if !ok {
		return
	}
	for value, bits := range x.keys {
		x.keys[value] = bits &^ (1 << n)
		if x.keys[value] == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.numbers, key)
}

func (x *Index[T]) Keys(value string) []string { return x.of(x.keys[value]) }

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	var bits uint64
	for value := range set {
		bits |= x.keys[value]
	}
	return x.of(bits), nil
}

// of returns the keys that have these bits.
func (x *Index[T]) of(bits uint64) []string {
	var keys []string
	for key, n := range x.numbers {
		if bits&(1<<n) != 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
