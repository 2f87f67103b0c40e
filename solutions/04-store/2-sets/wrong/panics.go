// Misconception: an index function that fails is a mistake in the program. So says upstream.
// Caught by: TestPutFails
// Message: the belief that a function that fails is a mistake in the program

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		panic(fmt.Errorf("unable to calculate an index entry for key %q: %v", key, err))
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
