// Breaks: The sync.RWMutex of whoever owns the index guards it: any number of goroutines may call Keys, Values
// and Matching at once, but while one of them calls Put, Delete or Replace, no other calls anything.
// Caught by: TestReadersAtOnce
// Message: data race

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

// Index has a set that each Matching uses again.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string]map[string]bool // the set of each key
	keys   map[string]map[string]bool // the keys of each value
	found  map[string]bool            // what Matching has found
}

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	if x.found == nil {
		x.found = map[string]bool{}
	}
	clear(x.found)
	for value := range set {
		maps.Copy(x.found, x.keys[value])
	}
	return slices.Sorted(maps.Keys(x.found)), nil
}
