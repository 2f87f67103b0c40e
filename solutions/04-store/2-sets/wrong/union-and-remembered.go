// Breaks: Put puts object under key: its set takes the place of the set that key had.
// Caught by: TestPutAgain
// Message: the belief that Put adds

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	for value := range x.sets[key] {
		set[value] = true
	}
	x.sets[key] = set
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	return nil
}
