// Misconception: An event is a hint; what counts is what the server has now.
// Caught by: TestAsksTheServerAfterDeletedOnly
// Message: Lookup was called 2 times Points to: the belief that an event is only a hint to go and look.

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
		live, err := v.lookup(event.Object.Namespace, event.Object.Name)
		if err == nil && live.UID != event.Object.UID {
			v.objects[k] = live // the event is old: another object has the name by now
		}
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
		return v.leftOrGone(event.Object)
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	}
	return Nothing, fmt.Errorf("an event of the unknown type %q", event.Type)
}
