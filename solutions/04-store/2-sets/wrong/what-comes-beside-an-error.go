// Breaks: What is returned beside an error does not count.
// Caught by: TestPutFails
// Message: the belief that what comes beside an error counts

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if len(set) > 0 || err == nil {
		x.Delete(key)
		x.sets[key] = set
	}
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	return nil
}

// set is what values returns for an object, and its error.
func (x *Index[T]) set(object T) (map[string]bool, error) {
	values, err := x.values(object)
	set := make(map[string]bool, len(values))
	for _, value := range values {
		set[value] = true
	}
	return set, err
}
