// Breaks: If Lookup fails with another error, the object has Left, and errors.Is finds that error in Apply's.
// Caught by: TestOnlyOneErrorSaysNotFound
// Message: Apply returned Gone and the error nil Points to: the belief that an error tells what is not there.

//go:build wrong

package view

import (
	"strings"
)

// leftOrGone asks the server what has become of an object that is out of sight.
func (v *View) leftOrGone(object Object) (Kind, error) {
	now, err := v.lookup(object.Namespace, object.Name)
	switch {
	case err != nil && strings.Contains(err.Error(), "not found"):
		return Gone, nil
	case err != nil:
		return Left, err // not known is not gone
	case now.UID != object.UID:
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
