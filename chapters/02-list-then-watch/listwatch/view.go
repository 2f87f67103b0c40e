package listwatch

import (
	"encoding/json"
	"maps"
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

	mu      sync.Mutex
	objects map[string]Object
}

// Objects returns a copy of the view, by "namespace/name".
func (v *View) Objects() map[string]Object {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.objects)
}

// Replace makes the view equal to a complete list. What it held and the list does not is gone, and
// this is the only way to learn of a deletion whose event the client did not see.
func (v *View) Replace(items []json.RawMessage) error {
	next := make(map[string]Object, len(items))
	order := make([]string, 0, len(items))
	for _, item := range items {
		meta, err := watch.MetaOf(item)
		if err != nil {
			return err
		}
		next[meta.Key()] = Object{meta, item}
		order = append(order, meta.Key())
	}
	for key, old := range v.Objects() {
		if now, ok := next[key]; !ok || now.UID != old.UID { // a name can be used again
			v.set(watch.Deleted, old)
		}
	}
	for _, key := range order {
		old, ok := v.get(key)
		switch {
		case !ok:
			v.set(watch.Added, next[key])
		case old.ResourceVersion != next[key].ResourceVersion:
			v.set(watch.Modified, next[key])
		}
	}
	return nil
}

// Apply takes one event that is about an object.
func (v *View) Apply(t watch.EventType, meta watch.Meta, object json.RawMessage) {
	v.set(t, Object{meta, object})
}

func (v *View) get(key string) (Object, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	o, ok := v.objects[key]
	return o, ok
}

// set changes one object and tells.
func (v *View) set(t watch.EventType, o Object) {
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
	if v.OnChange != nil {
		v.OnChange(t, o)
	}
}
