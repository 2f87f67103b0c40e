// Misconception: Of two resourceVersions the larger one is the newer one.
// Caught by: TestResourceVersion
// Message: the belief that a watch brings old news after new, and that comparing two versions finds it.

//go:build wrong

package view

import "fmt"

// Apply takes the next event of the watch into the view, and says what it did to the view.
func (v *View) Apply(event Event) (Kind, error) {
	k := key(event.Object)
	was, known := v.objects[k]
	switch event.Type {
	case "ADDED", "MODIFIED":
		if event.Object.ResourceVersion < v.resourceVersion {
			return Nothing, nil // older than what is known
		}
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
