// Misconception: first add what is in the new set, then take out what was in the old one.
// Caught by: TestPutAgain
// Message: the belief that what was in the old set has to go

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	x.Delete(key) // wrong: the two sets overlap
	x.sets[key] = set
	return nil
}
