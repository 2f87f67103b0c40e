// Breaks: The view has an object of an ADDED or a MODIFIED as the event has it, whole: of what it had before nothing
// is left.
// Caught by: TestModifiedIsTheWholeObject
// Message: the view has {Namespace:default Name:a UID:uid-a ResourceVersion:102
// DeletionTimestamp:2026-01-01T00:00:00Z Labels:map[app:web tier:front] Data:map[color:red]}

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
		if event.Status == nil {
			return Nothing, errors.New("an ERROR event without a Status")
		}
		return Nothing, event.Status
	default:
		return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
	}
	k := key(event.Object)
	before, known := v.objects[k]
	switch {
	case event.Type == "BOOKMARK":
		return Nothing, nil
	case event.Type != "DELETED":
		now := event.Object
		if known {
			now = before
			now.Data, now.ResourceVersion = event.Object.Data, event.Object.ResourceVersion
		}
		v.objects[k] = now
		if known {
			return Changed, nil
		}
		return Entered, nil
	case !known:
		return Nothing, nil
	}
	delete(v.objects, k)
	return v.leftOrGone(before)
}
