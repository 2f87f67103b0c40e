// Misconception: When something fails, nothing should have changed.
// Caught by: TestTheEventHasHappened
// Message: the belief that an event which ends in an error has not happened.

//go:build wrong

package view

import "fmt"

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
		kind, err := v.leftOrGone(was)
		if err != nil {
			return Left, err
		}
		delete(v.objects, k)
		return kind, nil
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
	return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
}
