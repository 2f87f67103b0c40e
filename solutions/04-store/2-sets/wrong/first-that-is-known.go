// Breaks: Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once.
// Caught by: TestMatching
// Message: Matching of a pod with tls log is job web

//go:build wrong

package sets

import ()

func (x *Index[T]) Matching(object T) ([]string, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	for _, value := range values {
		if keys := x.Keys(value); len(keys) > 0 { // wrong: there may be more
			return keys, nil
		}
	}
	return nil, nil
}
