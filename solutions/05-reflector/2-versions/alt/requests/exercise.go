// Package versions is exercise 05.2: which resourceVersion a reflector asks for next.
package versions

import (
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/watch"
)

// Versions knows the version of each request before it is asked.
type Versions struct {
	requests struct{ list, stream, watch string }
	begun    bool // requests.list is more than a zero value
	asked    string
	seen     map[watch.EventType]bool // of the watch; nil for a streaming list

	lock sync.RWMutex
	last string
}

// Last returns a copy that is guarded.
func (v *Versions) Last() string {
	v.lock.RLock()
	defer v.lock.RUnlock()
	return v.last
}

// List returns what the last change made of it.
func (v *Versions) List() string {
	if !v.begun {
		return "0"
	}
	return v.requests.list
}

// Stream returns what the last change made of it.
func (v *Versions) Stream() string { return v.requests.stream }

// Watch returns what the last change made of it, and remembers it for Opened.
func (v *Versions) Watch() string {
	v.asked = v.requests.watch
	return v.asked
}

// Synced is a version for every request.
func (v *Versions) Synced(version string) {
	v.seen = nil
	v.keep(version)
	v.requests.list, v.requests.stream = version, version
	if version == "" {
		v.requests.list = "0"
	}
}

// Unavailable changes the requests that ask for a state.
func (v *Versions) Unavailable() { v.begun, v.requests.list, v.requests.stream = true, "", "" }

// Opened begins a watch that has seen nothing.
func (v *Versions) Opened() { v.seen = map[watch.EventType]bool{} }

// Event counts if it is not from before the watch.
func (v *Versions) Event(event watch.Event) bool {
	initial := v.seen != nil && (v.asked == "" || v.asked == "0")
	if v.seen != nil {
		v.seen[event.Type] = true
	}
	if initial && len(v.seen) == 1 && event.Type == watch.Added {
		return false
	}
	version := versionOf(event)
	v.keep(version)
	v.requests.list, v.requests.stream = version, version
	return true
}

func (v *Versions) keep(version string) {
	v.begun, v.requests.watch = true, version
	v.lock.Lock()
	defer v.lock.Unlock()
	v.last = version
}

// versionOf is the resourceVersion of an event's object.
func versionOf(event watch.Event) string {
	object, err := meta.Accessor(event.Object)
	if err != nil {
		return "" // there is no such event in this exercise
	}
	return object.GetResourceVersion()
}
