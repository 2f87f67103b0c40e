// Breaks: The text of an error
// contains the key, as it is or as %q writes it.
// Caught by: TestPutFails
// Message: the text of the error contains the key web

//go:build wrong

package sets

func (x *Index[T]) Put(key string, object T) error {
	set, err := x.set(object)
	if err != nil {
		return err
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
