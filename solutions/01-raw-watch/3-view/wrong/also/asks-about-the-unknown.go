// Breaks: After a DELETED that took out an object, and only then, Apply asks Lookup for it, once.
// Stage: 3

//go:build wrong

package view

import (
	"errors"
	"fmt"
)

// Apply takes the next event of the watch into the view, and says what it did to the view.
func (v *View) Apply(event Event) (Kind, error) {
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
	case "ERROR":
		if event.Status == nil {
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
	}
	delete(v.objects, k)
	kind, err := v.leftOrGone(event.Object)
	if !known {
		return Nothing, nil
	}
	return kind, err
}
