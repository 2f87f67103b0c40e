// Misconception: The object of a DELETED shows the labels that took it out of sight.
// Stage: 1
// Removes: View.leftOrGone

//go:build wrong

package view

import (
	"fmt"
	"maps"
)

// Apply takes the next event of the watch into the view, and says what it did to the view.
func (v *View) Apply(event Event) (Kind, error) {
	k := key(event.Object)
	last, known := v.objects[k]
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
		if !maps.Equal(last.Labels, event.Object.Labels) {
			return Left, nil // its labels were changed, so that the selector does not match
		}
		return Gone, nil
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
	return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
}
