// Breaks: Sorted is as Go compares strings.
// Caught by: TestSorted
// Message: Keys of 107 puts is sorted, and has each once

//go:build wrong

package sets

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

func (x *Index[T]) Keys(value string) []string {
	return slices.SortedFunc(maps.Keys(x.keys[value]), func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
}
