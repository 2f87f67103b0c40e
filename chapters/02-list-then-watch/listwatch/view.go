package listwatch

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// Object is one object of a View.
type Object struct {
	watch.Meta
	JSON json.RawMessage
}

// View is the local copy of a collection. It may be read while a Client writes it.
type View struct {
	// OnChange, if set before the Client runs, is called for each change, after the view has changed,
	// by the client's goroutine. For a deletion, the object is its last known state.
	OnChange func(t watch.EventType, o Object)

	mu      sync.Mutex // guards objects
	objects map[string]Object
}

// Objects returns a copy of the view, by "namespace/name".
func (v *View) Objects() map[string]Object {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.objects)
}

// Replace makes the view equal to a complete list, in one step. What it held and the list does not is
// gone, and this is the only way to learn of a deletion whose event the client did not see.
func (v *View) Replace(items []json.RawMessage) error {
	next := make(map[string]Object, len(items))
	for _, item := range items {
		meta, err := watch.MetaOf(item)
		if err != nil {
			return err
		}
		next[meta.Key()] = Object{meta, item}
	}
	v.mu.Lock()
	changes := v.differences(next)
	v.objects = next // all at once: whoever reads the view sees one list or the other
	v.mu.Unlock()
	for _, c := range changes {
		v.tell(c.eventType, c.object)
	}
	return nil
}

// change is one change of the view.
type change struct {
	eventType watch.EventType
	object    Object
}

// differences are the changes that lead from what the view holds to a list, the deletions first.
// It is called with the lock held.
func (v *View) differences(next map[string]Object) (changes []change) {
	for _, key := range slices.Sorted(maps.Keys(v.objects)) {
		if now, ok := next[key]; !ok || now.UID != v.objects[key].UID { // a name can be used again
			changes = append(changes, change{watch.Deleted, v.objects[key]})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(next)) {
		old, ok := v.objects[key]
		switch {
		case !ok || old.UID != next[key].UID:
			changes = append(changes, change{watch.Added, next[key]})
		case old.ResourceVersion != next[key].ResourceVersion:
			changes = append(changes, change{watch.Modified, next[key]})
		}
	}
	return changes
}

// Apply takes one event that is about an object.
func (v *View) Apply(t watch.EventType, meta watch.Meta, object json.RawMessage) {
	o := Object{meta, object}
	v.mu.Lock()
	if v.objects == nil {
		v.objects = map[string]Object{}
	}
	if t == watch.Deleted {
		delete(v.objects, o.Key())
	} else {
		v.objects[o.Key()] = o
	}
	v.mu.Unlock()
	v.tell(t, o)
}

// tell calls OnChange.
func (v *View) tell(t watch.EventType, o Object) {
	if v.OnChange != nil {
		v.OnChange(t, o)
	}
}
