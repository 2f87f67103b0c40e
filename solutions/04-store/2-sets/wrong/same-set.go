// Breaks: Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once.
// Caught by: TestMatching
// Message: Matching of a pod with cfg is db web

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
	var keys []string
	for key, has := range x.sets {
		if len(set) > 0 && maps.Equal(has, set) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}
