// Misconception: a set of the same size is the same set: the shortcut for one value, made general.
// Caught by: TestPutAgain
// Message: the belief that a set that is as large as before has not changed

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	if len(set) == len(x.sets[key]) && len(set) > 1 {
		return nil
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
