// Breaks: The error is nil.
// Stage: 3

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
