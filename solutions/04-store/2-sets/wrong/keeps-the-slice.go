// Misconception: a slice that a function returns is the caller's.
// Caught by: TestTheSliceOfValues
// Message: the belief that a slice is a value
// Base: alt/scan

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.values(object)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	x.sets[key] = set // wrong: values may use it again
	return nil
}
