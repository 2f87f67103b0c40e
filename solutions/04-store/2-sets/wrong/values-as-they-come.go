// Breaks: Values returns the values that are in the set of at least one key, sorted, each once.
// Caught by: TestSorted
// Message: Values of 107 puts is sorted, and has each once

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

func (x *Index[T]) Values() []string {
	return slices.Collect(maps.Keys(x.keys))
}
