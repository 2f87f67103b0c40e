// Misconception: ADDED means new, MODIFIED means changed.
// Caught by: TestTheViewDecides
// Message: Apply returned Entered; the view was a@90, and is a@101 Points to: the belief that ADDED means
// new

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

// Lookup gets one object from the server, whatever its labels are. It fails with ErrNotFound when there is none, and with
// other errors when the server cannot say.
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
func key(object Object) string { return object.Namespace + "/" + object.Name }

// Apply takes the next event of the watch into the view, and says what it did.
func (v *View) Apply(event Event) (Kind, error) {
	k := key(event.Object)
	_, known := v.objects[k]
	switch event.Type {
	case "ADDED", "MODIFIED":
		v.resourceVersion = event.Object.ResourceVersion
		v.objects[k] = event.Object
		if event.Type == "ADDED" {
			return Entered, nil
		}
		return Changed, nil
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

// leftOrGone asks the server what has become of an object that is out of sight.
func (v *View) leftOrGone(object Object) (Kind, error) {
	now, err := v.lookup(object.Namespace, object.Name)
	switch {
	case errors.Is(err, ErrNotFound):
		return Gone, nil
	case err != nil:
		return Left, err
	case now.UID != object.UID:
		return Gone, nil
	}
	return Left, nil
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
