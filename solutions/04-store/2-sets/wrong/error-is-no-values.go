// Misconception: an object for which values fails has none.
// Caught by: TestPutFails
// Message: it returned none

//go:build wrong

package sets

func (x *Index[T]) Put(key string, object T) error {
	set, _ := x.set(object)
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
