// Breaks: When values returns an error, so does the method that called it, and the index is as before.
// Caught by: TestReplaceFails
// Message: the belief that what was done before an error, or could be done beside it, may stay

//go:build wrong

package sets

func (x *Index[T]) Replace(objects map[string]T) error {
	for key := range x.sets {
		if _, ok := objects[key]; !ok {
			x.Delete(key)
		}
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
