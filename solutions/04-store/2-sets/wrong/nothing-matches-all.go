// Breaks: Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once.
// Caught by: TestMatching
// Message: the belief that an object without values matches every one

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
	if len(set) == 0 {
		return slices.Sorted(maps.Keys(x.sets)), nil
	}
	keys := map[string]bool{}
	for value := range set {
		maps.Copy(keys, x.keys[value])
	}
	return slices.Sorted(maps.Keys(keys)), nil
}
