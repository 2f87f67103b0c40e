// Misconception: an object that cannot be read matches nothing.
// Caught by: TestMatchingFails
// Message: the belief that an object for which values fails may be left out

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, nil
	}
	keys := map[string]bool{}
	for value := range set {
		maps.Copy(keys, x.keys[value])
	}
	return slices.Sorted(maps.Keys(keys)), nil
}
