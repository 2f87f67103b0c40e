// Misconception: What is DELETED was in the view.
// Caught by: TestTheViewDecides
// Message: the belief that whatever is DELETED was in the view.

//go:build wrong

package view

import "fmt"

// Apply takes the next event of the watch into the view, and says what it did to the view.
func (v *View) Apply(event Event) (Kind, error) {
	k := key(event.Object)
	_, known := v.objects[k]
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
		delete(v.objects, k)
		return v.leftOrGone(event.Object)
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
	return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
}
