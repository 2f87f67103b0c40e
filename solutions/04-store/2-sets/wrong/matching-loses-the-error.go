// Breaks: errors.Is and errors.As find the error of values.
// Caught by: TestMatchingFails
// Message: they did not find it in "cannot match: volume 1 cannot be read"

//go:build wrong

package sets

import (
	"fmt"
	"maps"
	"slices"
)

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, fmt.Errorf("cannot match: %v", err)
	}
	keys := map[string]bool{}
	for value := range set {
		maps.Copy(keys, x.keys[value])
	}
	return slices.Sorted(maps.Keys(keys)), nil
}
