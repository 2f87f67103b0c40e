// Misconception: an error is a text for whoever reads the log.
// Caught by: TestPutFails
// Message: the belief that an error is a text

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %v", key, err)
	}
	x.Delete(key)
	x.sets[key] = set
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	return nil
}
