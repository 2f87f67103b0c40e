// Breaks: An ADDED of such a watch leaves Last as it was, and Event returns false, whatever its version, until an event
// of another type was seen of the same watch.
// Caught by: TestEachWatchForItself
// Message: Event of ADDED 9 returns false

//go:build wrong

package versions

import (
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

type Versions struct {
	mu          sync.Mutex
	last        string
	unavailable bool
	synthetic   bool
	past        bool // the objects that there are have come since the last Synced
}

func (v *Versions) Synced(version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last, v.unavailable, v.synthetic, v.past = version, false, false, false
}

func (v *Versions) Opened() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.synthetic = !v.past && (v.last == "" || v.last == "0")
}

func (v *Versions) Event(event watch.Event) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if event.Type != watch.Added {
		v.synthetic, v.past = false, true
	}
	if v.synthetic {
		return false
	}
	v.last = versionOf(event)
	return true
}
