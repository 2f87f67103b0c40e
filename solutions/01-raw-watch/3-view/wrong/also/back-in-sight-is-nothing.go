// Breaks: With the same UID it has Left, whatever else has changed.
// Stage: 3

//go:build wrong

package view

import (
	"errors"
	"maps"
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
		return Gone, nil // another object has the name now
	}
	if maps.Equal(now.Labels, object.Labels) {
		return Nothing, nil // it is in sight again
	}
	return Left, nil
}
