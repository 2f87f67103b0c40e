// Misconception: the keys of a map come in an order.
// Caught by: TestSorted
// Message: the belief that a range over a map has an order

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

func (x *Index[T]) Keys(value string) []string {
	return slices.Collect(maps.Keys(x.keys[value]))
}
