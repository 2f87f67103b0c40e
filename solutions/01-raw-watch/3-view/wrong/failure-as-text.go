// Breaks: When Lookup fails with another error, the object has Left, and errors.Is finds that error in the one that
// Apply returns.
// Caught by: TestServerCannotSay
// Message: Apply returned Left and the error "asking for a: dial tcp 127.0.0.1:6443: connection refused"

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
		return Left, fmt.Errorf("asking for %s: %v", object.Name, err)
	case now.UID != object.UID:
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
