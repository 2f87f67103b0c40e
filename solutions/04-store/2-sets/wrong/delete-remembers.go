// Misconception: what has not changed need not be written.
// Caught by: TestDelete
// Message: the belief that the set of a key that was deleted is still there

//go:build wrong

package sets

import (
	"fmt"
	"maps"
)

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	if old, ok := x.sets[key]; ok && maps.Equal(old, set) {
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

func (x *Index[T]) Delete(key string) { // wrong: the set of key is still remembered
	for value := range x.sets[key] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
}
