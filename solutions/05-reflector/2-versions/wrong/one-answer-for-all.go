// Breaks: Two Versions have nothing in common.
// Caught by: TestTwoReflectors
// Message: List is "0"

//go:build wrong

package versions

import "sync"

type Versions struct {
	mu        sync.Mutex
	last      string
	synthetic bool // the watch is still telling what there is, in an order of its own
}

// unavailable is what the server said last.
var unavailable bool

func (v *Versions) List() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case unavailable:
		return ""
	case v.last == "":
		return "0"
	}
	return v.last
}

func (v *Versions) Stream() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if unavailable {
		return ""
	}
	return v.last
}

func (v *Versions) Synced(version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last, unavailable, v.synthetic = version, false, false
}

func (v *Versions) Unavailable() {
	v.mu.Lock()
	defer v.mu.Unlock()
	unavailable = true
}
