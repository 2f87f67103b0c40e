// Breaks: Keys and values are any text, which may be empty.
// Caught by: TestAnyText
// Message: after Put of web with "", the index is "": web

//go:build wrong

package sets

// set is what values returns for an object, each value once and in a map of its own.
func (x *Index[T]) set(object T) (map[string]bool, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	set := make(map[string]bool, len(values))
	for _, value := range values {
		if value != "" {
			set[value] = true
		}
	}
	return set, nil
}
