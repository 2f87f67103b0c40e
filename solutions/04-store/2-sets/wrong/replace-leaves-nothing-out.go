// Breaks: Replace makes the index what it would be if it were new and these objects had been put under their keys.
// Caught by: TestReplace
// Message: Replace by nothing, the index is empty

//go:build wrong

package sets

func (x *Index[T]) Replace(objects map[string]T) error {
	if len(objects) == 0 {
		return nil // wrong: an empty list is a list
	}
	fresh := New(x.values)
	for key, object := range objects {
		if err := fresh.Put(key, object); err != nil {
			return err
		}
	}
	*x = *fresh
	return nil
}
