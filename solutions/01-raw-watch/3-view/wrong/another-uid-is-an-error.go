// Breaks: The object is Gone when errors.Is finds ErrNotFound in Lookup's error, or when Lookup's object has another
// UID than the view's had: then the name has been given to another object. Apply returns no error.
// Caught by: TestDeletedAndGone/another_object_has_the_name
// Message: Apply returned Gone and the error "default/a is another object now"

//go:build wrong

package view

import (
	"errors"
	"fmt"
)

// leftOrGone asks the server what has become of an object that is out of sight.
func (v *View) leftOrGone(object Object) (Kind, error) {
	now, err := v.lookup(object.Namespace, object.Name)
	switch {
	case errors.Is(err, ErrNotFound):
		return Gone, nil
	case err != nil:
		return Left, err // not known is not gone
	case now.UID != object.UID:
		return Gone, fmt.Errorf("%s/%s is another object now", object.Namespace, object.Name)
	}
	return Left, nil
}
