// Breaks: If Lookup fails with another error, the object has Left, and errors.Is finds that error in Apply's.
// Stage: 4

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
		return Nothing, err
	case now.UID != object.UID:
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
