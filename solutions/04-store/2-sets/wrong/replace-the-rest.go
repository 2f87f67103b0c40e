// Misconception: one bad object must not keep the others out.
// Caught by: TestReplaceFails
// Message: the belief that what was done before an error, or could be done beside it, may stay

//go:build wrong

package sets

import "errors"

func (x *Index[T]) Replace(objects map[string]T) error {
	fresh := New(x.values)
	var errs []error
	for key, object := range objects {
		errs = append(errs, fresh.Put(key, object))
	}
	*x = *fresh
	return errors.Join(errs...)
}
