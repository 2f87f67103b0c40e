// Breaks: A value that is in no set takes no memory, and neither does a key that is not in the index: however
// many come and go, the index does not grow.
// Caught by: TestDoesNotGrow
// Message: Keys of another value and Matching

//go:build wrong

package sets

import (
	"maps"
	"slices"
	"sync"
)

var reads sync.Mutex

func (x *Index[T]) Keys(value string) []string {
	reads.Lock()
	defer reads.Unlock()
	if x.keys[value] == nil {
		x.keys[value] = map[string]bool{} // wrong: somebody asked for it, that is all
	}
	return slices.Sorted(maps.Keys(x.keys[value]))
}

func (x *Index[T]) Values() []string {
	reads.Lock()
	defer reads.Unlock()
	var values []string
	for value, keys := range x.keys {
		if len(keys) > 0 {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return values
}

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	var keys []string
	for value := range set {
		keys = append(keys, x.Keys(value)...)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}
