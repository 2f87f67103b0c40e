// Misconception: a set without keys is as good as none, if Values leaves it out.
// Caught by: TestDoesNotGrow
// Message: the belief that a set without keys is as good as none

//go:build wrong

package sets

import "slices"

func (x *Index[T]) Delete(key string) {
	for value := range x.sets[key] {
		delete(x.keys[value], key)
	}
	delete(x.sets, key)
}

func (x *Index[T]) Values() []string {
	var values []string
	for value, keys := range x.keys {
		if len(keys) > 0 {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return values
}
