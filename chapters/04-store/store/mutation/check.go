package mutation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// Mutation is a change that did not come from the cache's writer.
type Mutation struct {
	// Cache is the detector's name.
	Cache string
	// Object is the changed object itself, for a look at it; Key is its namespace and name.
	Object runtime.Object
	Key    string
	// Fields are the changed fields.
	Fields []Field
	// Received are the call sites that received the object since the last comparison; Earlier are those before, which
	// may still hold it. Usually one of them wrote, or handed the object on to something that did. Which one cannot
	// be known from here.
	Received, Earlier []Site
}

// Check compares each watched object with its copy, and returns what has changed since the last time, in the order in
// which the objects came to be watched. A changed object is then watched from what it has become, so that each change
// is told once.
//
// An object that somebody writes to at this very moment is read while it is written. The race detector then reports
// both, the writer with its stack; where it is a map, Go's runtime may end the program.
func (d *Detector) Check() []Mutation {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.clock().Now()
	var found []Mutation
	d.records = slices.DeleteFunc(d.records, func(r *record) bool {
		if fields := changed(r.copied, r.object); len(fields) > 0 {
			found = append(found, Mutation{Cache: d.Name, Object: r.object, Key: keyOf(r.copied), Fields: fields,
				Received: r.received.list(), Earlier: r.earlier.list()})
			r.copied = r.object.DeepCopyObject()
		}
		r.earlier.merge(r.received)
		r.received = nil
		done := d.forgotten(r, now)
		if done {
			delete(d.byObject, r.object)
		}
		return done
	})
	return found
}

// forgotten says that the cache has dropped an object, and that the time is over in which it is still watched.
func (d *Detector) forgotten(r *record, now time.Time) bool {
	switch {
	case d.holds != nil && d.holds(r.object):
		r.dropped = time.Time{}
		return false
	case r.dropped.IsZero():
		r.dropped = now
		return false
	}
	return now.Sub(r.dropped) >= orElse(d.Retain, 2*time.Minute)
}

// keyOf is an object's namespace and name.
func keyOf(object runtime.Object) string {
	key, err := cache.MetaNamespaceKeyFunc(object)
	if err != nil {
		return "an object without a name"
	}
	return key
}

// String is the mutation in some lines, for a log.
func (m Mutation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%T %s was changed in the cache %q:\n", m.Object, m.Key, m.Cache)
	for _, f := range m.Fields {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	list := func(title string, all []Site) {
		if len(all) > 0 {
			fmt.Fprintf(&b, "%s\n", title)
		}
		for _, site := range all {
			fmt.Fprintf(&b, "  %s\n", site)
		}
	}
	list("received since the last comparison:", m.Received)
	list("received before that, and perhaps still held:", m.Earlier)
	b.WriteString("Which of them wrote cannot be known from here. Write to a DeepCopy.")
	return b.String()
}
