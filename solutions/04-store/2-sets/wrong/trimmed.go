// Breaks: Keys and values are any text, which may be empty.
// Caught by: TestAnyText
// Message: " B": "A"

//go:build wrong

package sets

import "strings"

// set is what values returns for an object, each value once and in a map of its own.
func (x *Index[T]) set(object T) (map[string]bool, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	set := make(map[string]bool, len(values))
	for _, value := range values {
		set[strings.TrimSpace(value)] = true
	}
	return set, nil
}
