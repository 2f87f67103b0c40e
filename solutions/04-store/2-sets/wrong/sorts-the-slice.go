// Misconception: to sort and compact what values returned is a cheap way to have each value once.
// Caught by: TestTheSliceOfValues
// Message: the belief that what a function returns is the caller's

//go:build wrong

package sets

import "slices"

// set is what values returns for an object, each value once.
func (x *Index[T]) set(object T) (map[string]bool, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	slices.Sort(values) // wrong: it may be a field of the object
	set := map[string]bool{}
	for _, value := range slices.Compact(values) {
		set[value] = true
	}
	return set, nil
}
