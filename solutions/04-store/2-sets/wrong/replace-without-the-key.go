// Breaks: The text of an error contains the key of an object for which values failed, as it is or as %q writes it.
// Caught by: TestReplaceFails
// Message: the text of the error contains the key default-web-7

//go:build wrong

package sets

import "errors"

func (x *Index[T]) Replace(objects map[string]T) error {
	fresh := New(x.values)
	for key, object := range objects {
		if err := fresh.Put(key, object); err != nil {
			return errors.Unwrap(err)
		}
	}
	*x = *fresh
	return nil
}
