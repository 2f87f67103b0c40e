// Package view keeps the objects in a slice, in the order in which Objects returns them, behind a lock.
package view

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
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

// Lookup gets one object from the server, whatever its labels are. It fails with an error in which errors.Is finds
// ErrNotFound when there is none, and with other errors when the server cannot say.
type Lookup func(namespace, name string) (Object, error)

// View is the set of objects that match the watch's selector.
type View struct {
	lookup Lookup

	mu              sync.Mutex // guards the rest, and is free while Lookup waits for the server
	objects         []Object   // by namespace and name
	resourceVersion string
}

// New returns the view that a list has, from which the watch goes on.
func New(resourceVersion string, list []Object, lookup Lookup) *View {
	v := &View{resourceVersion: resourceVersion, lookup: lookup}
	for _, object := range list {
		v.put(object)
	}
	return v
}

// ResourceVersion says how far the view has come.
func (v *View) ResourceVersion() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.resourceVersion
}

// Objects returns what is in the view, by namespace and name.
func (v *View) Objects() []Object {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.objects)
}

func compare(a, b Object) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// Apply takes the next event of the watch into the view, and says what it did.
func (v *View) Apply(event Event) (Kind, error) {
	kind, was, err := v.apply(event)
	if kind != Left {
		return kind, err
	}
	live, err := v.lookup(was.Namespace, was.Name)
	if errors.Is(err, ErrNotFound) || err == nil && live.UID != was.UID {
		return Gone, nil
	}
	return Left, err
}

// apply does what needs no server. Left may turn out to be Gone: what has become of the object that it returns?
func (v *View) apply(event Event) (Kind, Object, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if event.Type == "ERROR" {
		return Nothing, Object{}, event.Status
	}
	if !slices.Contains([]string{"ADDED", "MODIFIED", "DELETED", "BOOKMARK"}, event.Type) {
		return Nothing, Object{}, fmt.Errorf("there are no events of type %q", event.Type)
	}
	v.resourceVersion = event.Object.ResourceVersion
	switch event.Type {
	case "BOOKMARK":
		return Nothing, Object{}, nil
	case "DELETED":
		kind, was := v.remove(event.Object)
		return kind, was, nil
	}
	return v.put(event.Object), Object{}, nil
}

func (v *View) put(object Object) Kind {
	i, found := slices.BinarySearchFunc(v.objects, object, compare)
	if found {
		v.objects[i] = object
		return Changed
	}
	v.objects = slices.Insert(v.objects, i, object)
	return Entered
}

func (v *View) remove(object Object) (Kind, Object) {
	i, found := slices.BinarySearchFunc(v.objects, object, compare)
	if !found {
		return Nothing, Object{}
	}
	was := v.objects[i]
	v.objects = slices.Delete(v.objects, i, i+1)
	return Left, was
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
