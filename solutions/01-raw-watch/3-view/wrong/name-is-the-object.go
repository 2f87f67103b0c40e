// Misconception: As long as the server has an object of that name, the object exists.
// Caught by: TestAnotherObjectHasTheName
// Message: the belief that an object is its name.

//go:build wrong

package view

import (
	"errors"
	"fmt"
)

// Apply takes the next event of the watch into the view, and says what it did to the view.
func (v *View) Apply(event Event) (Kind, error) {
	k := key(event.Object)
	was, known := v.objects[k]
	switch event.Type {
	case "ADDED", "MODIFIED":
		v.resourceVersion = event.Object.ResourceVersion
		v.objects[k] = event.Object
		if known {
			return Changed, nil
		}
		return Entered, nil
	case "DELETED":
		v.resourceVersion = event.Object.ResourceVersion
		if !known {
			return Nothing, nil
		}
		delete(v.objects, k)
		return v.leftOrGone(was)
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
	return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
}

// leftOrGone asks the server what has become of an object that is out of sight.
func (v *View) leftOrGone(object Object) (Kind, error) {
	_, err := v.lookup(object.Namespace, object.Name)
	switch {
	case errors.Is(err, ErrNotFound):
		return Gone, nil
	case err != nil:
		return Left, err
	}
	return Left, nil
}
