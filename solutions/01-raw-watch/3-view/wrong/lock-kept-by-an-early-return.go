// Misconception: A lock is given back where the function ends.
// Caught by: TestErrorEvent
// Message: Points to: a lock that is not given back, or a loop that nothing ends

//go:build wrong

package view

import (
	"errors"
	"fmt"
	"sync"
)

// View is the set of objects that match the watch's selector.
type View struct {
	mu              sync.Mutex        // guards the view
	objects         map[string]Object // under what key returns for them
	resourceVersion string
	lookup          Lookup
}

// Apply takes the next event of the watch into the view, and says what it did.
func (v *View) Apply(event Event) (Kind, error) {
	v.mu.Lock()
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
	was, known := v.objects[k]
	switch {
	case event.Type == "BOOKMARK":
		v.mu.Unlock()
		return Nothing, nil
	case event.Type != "DELETED":
		v.objects[k] = event.Object
		if known {
			v.mu.Unlock()
			return Changed, nil
		}
		v.mu.Unlock()
		return Entered, nil
	case !known:
		v.mu.Unlock()
		return Nothing, nil
	}
	delete(v.objects, k)
	v.mu.Unlock()
	return v.leftOrGone(was)
}
