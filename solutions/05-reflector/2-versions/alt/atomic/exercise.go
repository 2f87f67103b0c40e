// Package versions is exercise 05.2: which resourceVersion a reflector asks for next.
package versions

import (
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/watch"
)

// Versions keeps what the store holds where any goroutine may read it, and the rest for the reflector's.
type Versions struct {
	held   atomic.Pointer[string]
	newest bool // until the next Synced, whatever the store holds
	until  func(watch.EventType) bool
}

// Last reads what the reflector's goroutine wrote.
func (v *Versions) Last() string {
	if p := v.held.Load(); p != nil {
		return *p
	}
	return ""
}

// List asks for any state where there is no other to compare it with.
func (v *Versions) List() string {
	if version := v.Stream(); version != "" || v.newest {
		return version
	}
	return "0"
}

// Stream asks for a state that is not older.
func (v *Versions) Stream() string {
	if v.newest {
		return ""
	}
	return v.Last()
}

// Watch asks for what happened since.
func (v *Versions) Watch() string { return v.Last() }

// Synced begins anew.
func (v *Versions) Synced(version string) {
	v.held.Store(&version)
	v.newest = false
	v.until = nil
}

// Unavailable asks for more from now on.
func (v *Versions) Unavailable() { v.newest = true }

// Opened looks at whether the watch begins with what there is.
func (v *Versions) Opened() {
	v.until = nil
	switch v.Last() {
	case "", "0":
		v.until = func(kind watch.EventType) bool { return kind != watch.Added }
	}
}

// Event keeps the version unless something is waited for.
func (v *Versions) Event(event watch.Event) bool {
	if v.until != nil && !v.until(event.Type) {
		return false
	}
	v.until = nil
	version := versionOf(event)
	v.held.Store(&version)
	return true
}

// versionOf is the resourceVersion of an event's object.
func versionOf(event watch.Event) string {
	object, err := meta.Accessor(event.Object)
	if err != nil {
		return "" // there is no such event in this exercise
	}
	return object.GetResourceVersion()
}
