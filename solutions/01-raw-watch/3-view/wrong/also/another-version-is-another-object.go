// Misconception: An object with another resourceVersion is another object.
// Stage: 1

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
	case now.ResourceVersion != object.ResourceVersion:
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
