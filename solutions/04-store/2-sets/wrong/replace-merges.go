// Misconception: Replace puts each object of the map.
// Caught by: TestReplace
// Message: the belief that Replace is a Put for each

//go:build wrong

package sets

func (x *Index[T]) Replace(objects map[string]T) error {
	fresh := New(x.values)
	for key, object := range objects {
		if err := fresh.Put(key, object); err != nil {
			return err
		}
	}
	for key, object := range objects {
		x.Put(key, object)
	}
	return nil
}
