// Misconception: an object matches when it has all the values, as with a label selector.
// Caught by: TestMatching
// Message: the belief that an object matches when it has all the values

//go:build wrong

package sets

import "slices"

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	var keys []string
	for key, has := range x.sets {
		common := 0
		for value := range set {
			if has[value] {
				common++
			}
		}
		if common == len(set) && common > 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}
