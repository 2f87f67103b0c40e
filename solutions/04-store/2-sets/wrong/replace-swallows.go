// Misconception: an object for which values fails is left out, and that is all.
// Caught by: TestReplaceFails
// Message: the belief that an object for which values fails may be left out

//go:build wrong

package sets

func (x *Index[T]) Replace(objects map[string]T) error {
	fresh := New(x.values)
	for key, object := range objects {
		fresh.Put(key, object)
	}
	*x = *fresh
	return nil
}
