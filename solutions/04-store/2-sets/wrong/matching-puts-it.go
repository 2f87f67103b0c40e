// Breaks: The object need not be in the index, and is not put into it.
// Caught by: TestAnyText
// Message: Matching of a pod with cfg is "" web

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

func (x *Index[T]) Matching(object T) ([]string, error) {
	if err := x.Put("", object); err != nil { // wrong: "" is a key like others
		return nil, err
	}
	keys := map[string]bool{}
	for value := range x.sets[""] {
		maps.Copy(keys, x.keys[value])
	}
	delete(keys, "")
	x.Delete("")
	return slices.Sorted(maps.Keys(keys)), nil
}
