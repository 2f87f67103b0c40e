// Package sets is an index whose function gives each object a set of values.
package sets

import (
	"fmt"
	"maps"
	"slices"
)

// Index keeps a set of values for each key and tells whose sets contain a value.
// It keeps nothing else, and looks at all of them for each answer.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string][]string
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, sets: map[string][]string{}}
}

// Put puts object under key: its set takes the place of the set that key had. The text of an error
// contains the key.
func (x *Index[T]) Put(key string, object T) error {
	set, err := x.values(object)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	x.sets[key] = slices.Clone(set)
	return nil
}

// Delete takes key and its set out of the index. If it is not in there, nothing happens.
func (x *Index[T]) Delete(key string) { delete(x.sets, key) }

// Replace makes the index what it would be if it were new and these objects had been put under their keys.
// The text of an error contains the key of an object for which values failed.
//
//   - The map may be nil. It stays the caller's: the index does not change it, and the caller may.
func (x *Index[T]) Replace(objects map[string]T) error {
	old := x.sets
	x.sets = make(map[string][]string, len(objects))
	for key, object := range objects {
		if err := x.Put(key, object); err != nil {
			x.sets = old
			return err
		}
	}
	return nil
}

// Keys returns the keys whose set contains value, sorted, each once.
func (x *Index[T]) Keys(value string) []string { return x.having([]string{value}) }

// Values returns the values that are in the set of at least one key, sorted, each once.
func (x *Index[T]) Values() []string {
	all := slices.Concat(slices.Collect(maps.Values(x.sets))...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once. The object need not be in the index, and is not put into it.
func (x *Index[T]) Matching(object T) ([]string, error) {
	values, err := x.values(object)
	return x.having(values), err
}

// having returns the keys whose set has one of these values.
func (x *Index[T]) having(values []string) []string {
	var keys []string
	for key, set := range x.sets {
		if slices.ContainsFunc(set, func(v string) bool { return slices.Contains(values, v) }) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
