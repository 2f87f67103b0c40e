// Misconception: what was put before an error is put.
// Caught by: TestReplaceFails
// Message: the belief that what was done before an error

//go:build wrong

package sets

func (x *Index[T]) Replace(objects map[string]T) error {
	x.sets, x.keys = map[string]map[string]bool{}, map[string]map[string]bool{}
	for key, object := range objects {
		if err := x.Put(key, object); err != nil {
			return err // wrong: half of it is done
		}
	}
	return nil
}
