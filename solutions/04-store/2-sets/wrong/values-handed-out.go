// Breaks: A slice that the index returns belongs to the caller, who may change it.
// Caught by: TestWhatIsReturnedIsTheCallers
// Message: Values is app cfg tls
// Base: alt/difference

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

// Index keeps the answer of Values until something is written.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string][]string // the set of each key
	keys   map[string][]string // the keys of each value
	sorted []string            // the values
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
	x.sorted = slices.Sorted(maps.Keys(x.keys))
}

func (x *Index[T]) Values() []string { return x.sorted }
