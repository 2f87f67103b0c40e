// Misconception: an update is a deletion and an insertion, one after the other.
// Caught by: TestPutFails
// Message: the belief that the old set may go before the new one is known

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	x.Delete(key) // wrong: values may fail
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
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
