// Misconception: an object without values is none of the index's business.
// Caught by: TestPutAgain
// Message: Put of web with no values, the index is cfg: db

//go:build wrong

package sets

import "fmt"

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	if len(set) == 0 {
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
