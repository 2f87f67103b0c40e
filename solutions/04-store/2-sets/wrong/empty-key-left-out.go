// Breaks: Keys and values are any text, which may be empty.
// Caught by: TestAnyText
// Message: the index is "": "" web; cfg: "" web

//go:build wrong

package sets

import "slices"

func (x *Index[T]) Keys(value string) []string {
	var keys []string
	for key := range x.keys[value] {
		if key != "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
