// Package view asks of each event whether its object was in sight before it, and whether it is after it.
package view

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Object is what is known of one ConfigMap.
type Object struct {
	Namespace, Name   string
	UID               string // a new one each time a name is given to an object
	ResourceVersion   string
	DeletionTimestamp string // set while an object waits for its finalizers
	Labels, Data      map[string]string
}

// Event is one event of the watch, decoded.
type Event struct {
	Type   string       // ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
	Object Object       // of a BOOKMARK: nothing but a ResourceVersion
	Status *StatusError // of an ERROR, nil otherwise
}

// Kind says what an event did to the view.
type Kind string

// The kinds of change.
const (
	Nothing Kind = "Nothing"
	Entered Kind = "Entered"
	Changed Kind = "Changed"
	Left    Kind = "Left"
	Gone    Kind = "Gone"
)

// ErrNotFound is what Lookup returns when the server has no object of that name.
var ErrNotFound = errors.New("not found")

// Lookup gets one object from the server, whatever its labels are. It fails with ErrNotFound when there is none, and
// with other errors when the server cannot say.
type Lookup func(namespace, name string) (Object, error)

// View is the set of objects that match the watch's selector.
type View struct {
	objects         map[string]Object // under what key returns for them
	resourceVersion string
	lookup          Lookup
}

// New returns the view that a list has, from which the watch goes on.
func New(resourceVersion string, list []Object, lookup Lookup) *View {
	v := &View{objects: map[string]Object{}, resourceVersion: resourceVersion, lookup: lookup}
	for _, object := range list {
		v.objects[key(object)] = object
	}
	return v
}

// ResourceVersion says how far the view has come.
func (v *View) ResourceVersion() string { return v.resourceVersion }

// Objects returns what is in the view, by namespace and name.
func (v *View) Objects() []Object {
	var all []Object
	for _, object := range v.objects {
		all = append(all, object)
	}
	slices.SortFunc(all, func(a, b Object) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// key returns what tells an object from every other one in the view.
func key(object Object) string {
	return object.Namespace + "/" + object.Name
}

// Apply takes the next event of the watch into the view, and says what it did to the view.
func (v *View) Apply(event Event) (Kind, error) {
	var after bool // is the object in sight after the event?
	switch event.Type {
	case "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
		return Nothing, nil
	case "ERROR":
		return Nothing, event.Status
	case "ADDED", "MODIFIED":
		after = true
	case "DELETED":
	default:
		return Nothing, errors.New("this is no watch event: " + event.Type)
	}
	was, before := v.objects[key(event.Object)]
	defer func() { v.resourceVersion = event.Object.ResourceVersion }()
	if after {
		v.objects[key(event.Object)] = event.Object
		return map[bool]Kind{false: Entered, true: Changed}[before], nil
	}
	if !before {
		return Nothing, nil
	}
	delete(v.objects, key(event.Object))
	exists, err := v.exists(was)
	if err != nil || exists {
		return Left, err
	}
	return Gone, nil
}

func (v *View) exists(object Object) (bool, error) {
	live, err := v.lookup(object.Namespace, object.Name)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return live.UID == object.UID, err
}

// StatusError is what the server reports in an ERROR event.
type StatusError struct {
	Code    int
	Reason  string
	Message string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}
