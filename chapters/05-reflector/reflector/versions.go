package reflector

import (
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// NewVersions makes the Versions of one reflector.
//
// Upstream: relistResourceVersion, rewatchResourceVersion, and the function that watch hands to handleWatch, in
// tools/cache/reflector.go.
func NewVersions() Versions { return &versions{} }

// versions is this package's Versions.
type versions struct {
	mu          sync.Mutex // guards last
	last        string
	unavailable bool // the server can't serve last
	ordered     bool // the versions of the watch's events come in their order: each is one to resume from
}

// List implements Versions: at least as new as what was seen, so that the store never goes back in time; at the first
// time anything that the server has at hand, which costs it least.
func (v *versions) List() string {
	switch last := v.Last(); {
	case v.unavailable:
		return ""
	case last == "":
		return "0"
	default:
		return last
	}
}

// Stream implements Versions.
func (v *versions) Stream() string {
	if v.unavailable {
		return ""
	}
	return v.Last()
}

// Watch implements Versions.
func (v *versions) Watch() string { return v.Last() }

// Synced implements Versions.
func (v *versions) Synced(version string) {
	v.set(version)
	v.unavailable, v.ordered = false, true
}

// Opened implements Versions. A watch from no version begins with an ADDED for each object there is, in no order: one
// who resumed from such an event would miss the objects that were still to come.
func (v *versions) Opened() { v.ordered = v.Last() != "" && v.Last() != "0" }

// Event implements Versions. After anything but an ADDED the objects that were there are over.
func (v *versions) Event(kind watch.EventType, version string) bool {
	switch kind {
	case watch.Modified, watch.Deleted, watch.Bookmark:
		v.ordered = true
	}
	if v.ordered {
		v.set(version)
	}
	return v.ordered
}

// Unavailable implements Versions.
func (v *versions) Unavailable() { v.unavailable = true }

// Last implements Versions.
func (v *versions) Last() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.last
}

func (v *versions) set(version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = version
}
