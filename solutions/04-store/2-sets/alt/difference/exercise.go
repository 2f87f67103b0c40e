// Package sets is an index whose function gives each object a set of values.
package sets

import (
	"fmt"
	"maps"
	"slices"
)

// Index keeps a set of values for each key and tells whose sets contain a value.
// Keys and sets are sorted slices, and Put touches only the values that come or go.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string][]string // the set of each key
	keys   map[string][]string // the keys of each value
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, sets: map[string][]string{}, keys: map[string][]string{}}
}

// Put puts object under key: its set takes the place of the set that key had. The text of an error
// contains the key.
func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("index %s: %w", key, err)
	}
	x.change(key, set)
	return nil
}

// Delete takes key and its set out of the index. If it is not in there, nothing happens.
func (x *Index[T]) Delete(key string) {
	x.change(key, nil)
	delete(x.sets, key)
}

// Replace makes the index what it would be if it were new and these objects had been put under their keys.
// The text of an error contains the key of an object for which values failed.
//
//   - The map may be nil. It stays the caller's: the index does not change it, and the caller may.
func (x *Index[T]) Replace(objects map[string]T) error {
	sets := map[string][]string{}
	for key, object := range objects {
		set, err := x.set(object)
		if err != nil {
			return fmt.Errorf("replace, at %s: %w", key, err)
		}
		sets[key] = set
	}
	for key := range maps.Clone(x.sets) {
		if _, ok := sets[key]; !ok {
			x.Delete(key)
		}
	}
	for key, set := range sets {
		x.change(key, set)
	}
	return nil
}

// Keys returns the keys whose set contains value, sorted, each once.
func (x *Index[T]) Keys(value string) []string { return slices.Clone(x.keys[value]) }

// Values returns the values that are in the set of at least one key, sorted, each once.
func (x *Index[T]) Values() []string {
	values := make([]string, 0, len(x.keys))
	for value := range x.keys {
		values = append(values, value)
	}
	slices.Sort(values)
	return values
}

// Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once. The object need not be in the index, and is not put into it.
func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, value := range set {
		for _, key := range x.keys[value] {
			keys = with(keys, key)
		}
	}
	return keys, nil
}

// set is what values returns, sorted, each once.
func (x *Index[T]) set(object T) ([]string, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	var set []string
	for _, value := range values {
		set = with(set, value)
	}
	return set, nil
}

// change makes set the set of key.
func (x *Index[T]) change(key string, set []string) {
	old := x.sets[key]
	x.sets[key] = set
	for _, value := range set {
		if _, stays := slices.BinarySearch(old, value); !stays {
			x.keys[value] = with(x.keys[value], key)
		}
	}
	for _, value := range old {
		if _, stays := slices.BinarySearch(set, value); stays {
			continue
		}
		x.keys[value] = without(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
}

// with is a sorted slice with one text more, unless it has it.
func with(texts []string, text string) []string {
	i, found := slices.BinarySearch(texts, text)
	if found {
		return texts
	}
	return slices.Insert(texts, i, text)
}

// without is a sorted slice without a text.
func without(texts []string, text string) []string {
	i, found := slices.BinarySearch(texts, text)
	if !found {
		return texts
	}
	return slices.Delete(texts, i, i+1)
}
