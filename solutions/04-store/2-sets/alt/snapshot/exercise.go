// Package sets is an index whose function gives each object a set of values.
package sets

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Index keeps a set of values for each key and tells whose sets contain a value.
// Writes change the sets alone. The first read after a write turns them round, once for all reads that follow.
type Index[T any] struct {
	values func(object T) ([]string, error)
	mu     sync.Mutex // one write or one turn at a time
	sets   map[string][]string
	turned atomic.Pointer[map[string][]string] // the keys of each value, sorted; nil after a write
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, sets: map[string][]string{}}
}

// Put puts object under key: its set takes the place of the set that key had. The text of an error
// contains the key.
func (x *Index[T]) Put(key string, object T) error {
	sets, err := x.compute(maps.All(map[string]T{key: object}))
	if err == nil {
		x.write(func() { maps.Copy(x.sets, sets) })
	}
	return err
}

// Delete takes key and its set out of the index. If it is not in there, nothing happens.
func (x *Index[T]) Delete(key string) {
	x.write(func() { delete(x.sets, key) })
}

// Replace makes the index what it would be if it were new and these objects had been put under their keys.
// The text of an error contains the key of an object for which values failed.
//
//   - The map may be nil. It stays the caller's: the index does not change it, and the caller may.
func (x *Index[T]) Replace(objects map[string]T) error {
	sets, err := x.compute(maps.All(objects))
	if err == nil {
		x.write(func() { x.sets = sets })
	}
	return err
}

// Keys returns the keys whose set contains value, sorted, each once.
func (x *Index[T]) Keys(value string) []string { return slices.Clone(x.read()[value]) }

// Values returns the values that are in the set of at least one key, sorted, each once.
func (x *Index[T]) Values() []string { return slices.Sorted(maps.Keys(x.read())) }

// Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once. The object need not be in the index, and is not put into it.
func (x *Index[T]) Matching(object T) ([]string, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	keys, index := []string{}, x.read()
	for _, value := range values {
		keys = append(keys, index[value]...)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// compute makes the sets of objects.
func (x *Index[T]) compute(objects iter.Seq2[string, T]) (map[string][]string, error) {
	sets := map[string][]string{}
	for key, object := range objects {
		values, err := x.values(object)
		if err != nil {
			return nil, fmt.Errorf("%w (of object %q)", err, key)
		}
		sets[key] = slices.Clone(values)
	}
	return sets, nil
}

func (x *Index[T]) write(change func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change()
	x.turned.Store(nil)
}

// read returns the keys of each value. Nobody changes what it returns.
func (x *Index[T]) read() map[string][]string {
	if index := x.turned.Load(); index != nil {
		return *index
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	index := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(x.sets)) {
		for _, value := range x.sets[key] {
			if keys := index[value]; len(keys) == 0 || keys[len(keys)-1] != key {
				index[value] = append(keys, key)
			}
		}
	}
	x.turned.Store(&index)
	return index
}
