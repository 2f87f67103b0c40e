// Breaks: What Lookup returns is no news of the watch: neither that object nor its ResourceVersion comes into the
// view.
// Caught by: TestDeletedAndGone/another_object_has_the_name
// Message: it is a@103

//go:build wrong

package view

import (
	"errors"
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
		v.objects[key(now)] = now
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
