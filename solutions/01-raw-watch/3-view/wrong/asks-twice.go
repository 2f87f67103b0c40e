// Breaks: After a DELETED that takes an object out of the view, and only then, Apply asks Lookup, once, for the
// object of that namespace and name.
// Caught by: TestAsksTheServerAfterDeletedOnly
// Message: it was called for default/a, then for default/b, then for default/b

//go:build wrong

package view

import (
	"errors"
)

// leftOrGone asks the server what has become of an object that is out of sight.
func (v *View) leftOrGone(object Object) (Kind, error) {
	now, err := v.lookup(object.Namespace, object.Name)
	if err != nil && !errors.Is(err, ErrNotFound) { // once more
		now, err = v.lookup(object.Namespace, object.Name)
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return Gone, nil
	case err != nil:
		return Left, err // not known is not gone
	case now.UID != object.UID:
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
