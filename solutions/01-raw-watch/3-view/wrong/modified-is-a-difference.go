// Misconception: A MODIFIED carries the fields that were changed.
// Caught by: TestModifiedIsTheWholeObject
// Message: the belief that a MODIFIED carries what has changed.

//go:build wrong

package view

import (
	"fmt"
	"maps"
)

// Apply takes the next event of the watch into the view, and says what it did to the view.
func (v *View) Apply(event Event) (Kind, error) {
	k := key(event.Object)
	before, known := v.objects[k]
	switch event.Type {
	case "ADDED", "MODIFIED":
		v.resourceVersion = event.Object.ResourceVersion
		if known {
			v.objects[k] = merge(before, event.Object)
			return Changed, nil
		}
		v.objects[k] = event.Object
		return Entered, nil
	case "DELETED":
		v.resourceVersion = event.Object.ResourceVersion
		if !known {
			return Nothing, nil
		}
		delete(v.objects, k)
		return v.leftOrGone(before)
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
	return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
}

// merge puts what has changed over what was there before.
func merge(before, change Object) Object {
	merged := change
	merged.Labels, merged.Data = map[string]string{}, map[string]string{}
	for _, o := range []Object{before, change} {
		maps.Copy(merged.Labels, o.Labels)
		maps.Copy(merged.Data, o.Data)
	}
	return merged
}
