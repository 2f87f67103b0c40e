// Misconception: an index function returns one value, in a slice.
// Caught by: TestSets
// Message: the belief that an object has one value

//go:build wrong

package sets

// set is what values returns for an object.
func (x *Index[T]) set(object T) (map[string]bool, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	if len(values) > 0 {
		set[values[0]] = true
	}
	return set, nil
}
