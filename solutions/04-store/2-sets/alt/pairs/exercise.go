// Package sets is an index whose function gives each object a set of values.
package sets

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Index keeps a set of values for each key and tells whose sets contain a value.
// It is one sorted slice of pairs, as an index of a database is.
type Index[T any] struct {
	values func(object T) ([]string, error)
	pairs  []pair
}

// pair says that value is in the set of key.
type pair struct{ value, key string }

func compare(a, b pair) int {
	return cmp.Or(strings.Compare(a.value, b.value), strings.Compare(a.key, b.key))
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values}
}

// Put puts object under key: its set takes the place of the set that key had. The text of an error
// contains the key.
func (x *Index[T]) Put(key string, object T) error {
	values, err := x.values(object)
	if err != nil {
		return fmt.Errorf("no values of %s: %w", key, err)
	}
	x.Delete(key)
	for _, value := range values {
		p := pair{value, key}
		if i, found := slices.BinarySearchFunc(x.pairs, p, compare); !found {
			x.pairs = slices.Insert(x.pairs, i, p)
		}
	}
	return nil
}

// Delete takes key and its set out of the index. If it is not in there, nothing happens.
func (x *Index[T]) Delete(key string) {
	x.pairs = slices.DeleteFunc(x.pairs, func(p pair) bool { return p.key == key })
}

// Replace makes the index what it would be if it were new and these objects had been put under their keys.
// The text of an error contains the key of an object for which values failed.
//
//   - The map may be nil. It stays the caller's: the index does not change it, and the caller may.
func (x *Index[T]) Replace(objects map[string]T) error {
	next := Index[T]{values: x.values}
	var errs []error
	for key, object := range objects {
		errs = append(errs, next.Put(key, object))
	}
	err := errors.Join(errs...)
	if err == nil {
		x.pairs = next.pairs
	}
	return err
}

// Keys returns the keys whose set contains value, sorted, each once.
func (x *Index[T]) Keys(value string) []string {
	from, _ := slices.BinarySearchFunc(x.pairs, pair{value: value}, compare)
	var keys []string
	for _, p := range x.pairs[from:] {
		if p.value != value {
			break
		}
		keys = append(keys, p.key)
	}
	return keys
}

// Values returns the values that are in the set of at least one key, sorted, each once.
func (x *Index[T]) Values() []string {
	var values []string
	for i, p := range x.pairs {
		if i == 0 || x.pairs[i-1].value != p.value {
			values = append(values, p.value)
		}
	}
	return values
}

// Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once. The object need not be in the index, and is not put into it.
func (x *Index[T]) Matching(object T) ([]string, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, fmt.Errorf("no values of the object: %w", err)
	}
	keys := []string{}
	for _, value := range values {
		keys = append(keys, x.Keys(value)...)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}
