// Breaks: The object has Left when Lookup's object has the same UID, whatever else it shows.
// Caught by: TestDeletedButStillThere
// Message: Apply returned Gone; the view was a@101, and is empty Points to: the belief that what is being deleted is
// gone. It may wait for its finalizers

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
	case now.UID != object.UID || now.DeletionTimestamp != "":
		return Gone, nil // another object has the name now
	}
	return Left, nil
}
