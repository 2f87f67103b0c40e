// Misconception: what is found by two values is found twice.
// Caught by: TestMatching
// Message: the belief that each key is found once

//go:build wrong

package sets

import "slices"

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	var keys []string
	for value := range set {
		keys = append(keys, x.Keys(value)...)
	}
	slices.Sort(keys)
	return keys, nil
}
