// Breaks: A value that is in no set takes no memory, and neither does a key that is not in the index: however
// many come and go, the index does not grow.
// Caught by: TestDoesNotGrow
// Message: Put of another key for which values fails

//go:build wrong

package sets

import "fmt"

// Index counts the failures of each key.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string]map[string]bool // the set of each key
	keys   map[string]map[string]bool // the keys of each value
	failed map[string]int
}

func (x *Index[T]) Put(key string, object T) error {
	if x.failed == nil {
		x.failed = map[string]int{}
	}
	set, err := x.set(object)
	if err != nil {
		x.failed[key]++
		return fmt.Errorf("the values of %q failed %d times: %w", key, x.failed[key], err)
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
