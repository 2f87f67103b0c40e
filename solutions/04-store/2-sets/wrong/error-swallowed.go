// Misconception: an object for which values fails is left out, and that is all.
// Caught by: TestPutFails
// Message: the belief that an object for which values fails may be left out

//go:build wrong

package sets

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
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
