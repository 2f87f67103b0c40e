// Breaks: An object is whatever values takes, also nil.
// Caught by: TestObjectsOfAnyType
// Message: and Keys of 0 none

//go:build wrong

package sets

import "reflect"

// set is what values returns for an object, each value once and in a map of its own.
func (x *Index[T]) set(object T) (map[string]bool, error) {
	if v := reflect.ValueOf(object); v.Kind() != reflect.Pointer && v.IsZero() {
		return map[string]bool{}, nil
	}
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	set := make(map[string]bool, len(values))
	for _, value := range values {
		set[value] = true
	}
	return set, nil
}
