// Package view is exercise 01.3: fold the events of a selector's watch into a view.
//
// To a watch with a labelSelector, ADDED says that an object comes into sight, and DELETED that it goes out of sight.
// Apply keeps a View, the objects in sight:
//
//	event         in the view then    Apply returns
//	ADDED a       a                   Entered
//	ADDED b       a b                 Entered
//	MODIFIED a    a b                 Changed
//	DELETED b     a                   Left, if its label was edited, or Gone, if it was deleted
//	BOOKMARK      a                   Nothing
//
// Write Apply, stage by stage, from the standard library. docs/exercises.md says what holds for every exercise.
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
	Nothing Kind = "Nothing" // no object of the view is concerned
	Entered Kind = "Entered" // the object was not in the view, and is now
	Changed Kind = "Changed" // the object was in the view, and is there as the event has it
	Left    Kind = "Left"    // the object is no longer in the view
	Gone    Kind = "Gone"    // the same, and it does not exist any more
)

// ErrNotFound is what Lookup returns when the server has no object of that name.
var ErrNotFound = errors.New("not found")

// Lookup gets one object from the server, whatever its labels are. It fails with an error in which errors.Is finds
// ErrNotFound when there is none, and with other errors when the server cannot say.
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
//
// Stage 1: what is in sight
//
//   - An ADDED or a MODIFIED puts its object into the view, whole: nothing of the old one is left.
//   - It is Changed if the view had the object, else Entered, whichever type it is.
//   - A DELETED takes its object out, and is Left. It is Nothing if the view does not have it.
//
// Stage 2: how far the view has come
//
//   - After ADDED, MODIFIED, DELETED and BOOKMARK, ResourceVersion is their object's. Versions are not compared.
//   - A BOOKMARK is about no object, and is Nothing.
//   - An ERROR is Nothing, and an error in which errors.As finds its Status. Another type is Nothing, and an error.
//     Neither changes anything.
//
// Stage 3: left, or gone
//
//   - After a DELETED that took out an object, and only then, Apply asks Lookup for it, once.
//   - It is Gone if errors.Is finds ErrNotFound in Lookup's error, or if the UID is another one. The error is nil.
//   - With the same UID it has Left, whatever else has changed.
//   - Nothing of what Lookup returns comes into the view.
//
// Stage 4: the server cannot say
//
//   - If Lookup fails with another error, the object has Left, and errors.Is finds that error in Apply's.
//   - The object is out of the view all the same, and ResourceVersion moves.
func (v *View) Apply(event Event) (Kind, error) {
	//solution:begin
	//todo: stage 1: what does each of the three types do to the view?
	//stub: return Nothing, errors.New("Apply is not written yet")
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		v.resourceVersion = event.Object.ResourceVersion
	case "ERROR":
		if event.Status == nil { // as an error, a nil *StatusError would not be nil
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
	//solution:end
}

//solution:begin

// leftOrGone asks the server what has become of an object that is out of sight.
func (v *View) leftOrGone(object Object) (Kind, error) {
	now, err := v.lookup(object.Namespace, object.Name)
	switch {
	case errors.Is(err, ErrNotFound):
		return Gone, nil
	case err != nil:
		return Left, err // not known is not gone
	case now.UID != object.UID:
		return Gone, nil // another object has the name now
	}
	return Left, nil
}

//solution:end

// StatusError is what the server reports in an ERROR event.
type StatusError struct {
	Code    int
	Reason  string
	Message string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}
