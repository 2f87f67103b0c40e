// Breaks: When Lookup fails with another error, the object has Left, and errors.Is finds that error in the one that
// Apply returns.
// Caught by: TestServerCannotSay
// Message: Apply returned Left and the error nil Points to: the belief that Left is an answer here like any other.
// Nobody will ask again

//go:build wrong

package view

import (
	"context"
	"errors"
)

// leftOrGone asks the server what has become of an object that is out of sight.
func (v *View) leftOrGone(object Object) (Kind, error) {
	now, err := v.lookup(object.Namespace, object.Name)
	switch {
	case errors.Is(err, ErrNotFound):
		return Gone, nil
	case errors.Is(err, context.DeadlineExceeded):
		return Left, nil
	case err != nil:
		return Left, err // not known is not gone
	case now.UID != object.UID:
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
