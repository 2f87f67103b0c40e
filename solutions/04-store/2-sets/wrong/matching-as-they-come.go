// Breaks: Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once.
// Caught by: TestSorted
// Message: Matching of 107 puts is sorted, and has each once

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for value := range set {
		maps.Copy(keys, x.keys[value])
	}
	return slices.Collect(maps.Keys(keys)), nil
}
