// Misconception: The server knows best what is in sight now, so that its answer goes into the view.
// Caught by: TestDeletedButStillThere/its_label_was_removed,_and_set_again_by_now
// Message: the belief that what the server says now belongs into the view now.
// Removes: View.leftOrGone

//go:build wrong

package view

import (
	"errors"
	"fmt"
	"maps"
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
		live, err := v.lookup(event.Object.Namespace, event.Object.Name)
		switch {
		case errors.Is(err, ErrNotFound):
			return Gone, nil
		case err != nil:
			return Left, err
		case live.UID != was.UID:
			return Gone, nil
		case maps.Equal(live.Labels, event.Object.Labels):
			v.objects[k] = live // it matches again: keep it
		}
		return Left, nil
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
	return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
}
