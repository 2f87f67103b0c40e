// Misconception: with one value there is nothing to merge. Upstream has this shortcut, on the inside.
// Caught by: TestWhatIsReturnedIsTheCallers
// Message: the belief that nobody writes into what he is given
// Base: alt/difference

//go:build wrong

package sets

func (x *Index[T]) Matching(object T) ([]string, error) {
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	if len(set) == 1 {
		return x.keys[set[0]], nil
	}
	var keys []string
	for _, value := range set {
		for _, key := range x.keys[value] {
			keys = with(keys, key)
		}
	}
	return keys, nil
}
