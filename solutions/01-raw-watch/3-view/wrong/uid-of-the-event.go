// Breaks: when Lookup's object has another UID than the view's had: then the name has been given to another object.
// Caught by: TestTheNameWasGivenAnew
// Message: Apply returned Left; the view was a@90

//go:build wrong

package view

import (
	"errors"
	"fmt"
)

// Apply takes the next event of the watch into the view, and says what it did.
func (v *View) Apply(event Event) (Kind, error) {
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
	case "ERROR":
		if event.Status == nil { // as an error, a nil *StatusError would not be nil
			return Nothing, errors.New("an ERROR event without a Status")
		}
		return Nothing, event.Status
	default:
		return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
	}
	k := key(event.Object)
	_, known := v.objects[k]
	switch {
	case event.Type == "BOOKMARK":
		return Nothing, nil
	case event.Type != "DELETED":
		v.objects[k] = event.Object
		if known {
			return Changed, nil
		}
		return Entered, nil
	case !known:
		return Nothing, nil
	}
	delete(v.objects, k)
	return v.leftOrGone(event.Object) // wrong: the view had another one
}
