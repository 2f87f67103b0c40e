// Breaks: errors.Is and errors.As find the error of values.
// Caught by: TestReplaceFails
// Message: they did not find it in

//go:build wrong

package sets

import "errors"

func (x *Index[T]) Replace(objects map[string]T) error {
	fresh := New(x.values)
	for key, object := range objects {
		if err := fresh.Put(key, object); err != nil {
			return errors.New("nothing replaced: " + err.Error())
		}
	}
	*x = *fresh
	return nil
}
