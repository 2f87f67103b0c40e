// Misconception: Whoever wants to know of a change will be there to receive it.
// Caught by: TestObjectsComeIntoSight
// Message: waiting to send to a channel at exercise.go:

//go:build wrong

package view

import (
	"errors"
	"fmt"
)

// View is the set of objects that match the watch's selector.
type View struct {
	objects         map[string]Object // under what key returns for them
	resourceVersion string
	lookup          Lookup
	changes         chan Kind
}

// New returns the view that a list has, from which the watch goes on.
func New(resourceVersion string, list []Object, lookup Lookup) *View {
	v := &View{objects: map[string]Object{}, resourceVersion: resourceVersion, lookup: lookup, changes: make(chan Kind)}
	for _, object := range list {
		v.objects[key(object)] = object
	}
	return v
}

// apply takes the next event of the watch into the view, and says what it did.
func (v *View) apply(event Event) (Kind, error) {
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
		return Nothing, nil
	case event.Type != "DELETED":
		v.objects[k] = event.Object
		if known {
			return Changed, nil
		}
		return Entered, nil
	case !known:
		return Nothing, nil
	}
	delete(v.objects, k)
	return v.leftOrGone(was)
}

// Apply takes the next event of the watch into the view, and says what it did, also to who listens.
func (v *View) Apply(event Event) (Kind, error) {
	kind, err := v.apply(event)
	go func() { v.changes <- kind }()
	return kind, err
}
