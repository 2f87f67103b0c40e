// Breaks: Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once.
// Caught by: TestMatching
// Message: Matching of a pod with cfg cfg is db web

//go:build wrong

package sets

import "slices"

func (x *Index[T]) Matching(object T) ([]string, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	var keys []string
	for i, value := range values {
		for _, key := range x.Keys(value) {
			if i == 0 || !x.sets[key][values[0]] || value == values[0] {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys, nil
}
