// Misconception: a set that is asked for may be made at once.
// Caught by: TestSets
// Message: unknown: no key

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

func (x *Index[T]) Keys(value string) []string {
	if x.keys[value] == nil {
		x.keys[value] = map[string]bool{} // wrong: this is a read
	}
	return slices.Sorted(maps.Keys(x.keys[value]))
}
