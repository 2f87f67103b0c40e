package mirror

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// StaleError says that a run would read its own past: the cache has not seen yet what the last run of that key has
// written. It passes when the watch has caught up.
//
// Upstream: the error of EnsureReady, in pkg/controller/util/consistency/consistency.go of k8s.io/kubernetes, which
// several controllers of kube-controller-manager return since 1.36.
type StaleError struct {
	Place            Key
	Written, Reached string // resourceVersions: of the last write, and of the cache
}

// Error implements error.
func (e *StaleError) Error() string {
	return fmt.Sprintf("the cache has reached resourceVersion %s, and %s was written at %s", e.Reached, e.Place, e.Written)
}

// Written remembers, for each place, the version of the last write until the cache has it. A restart forgets it. The
// new controller fills its caches first, from a streaming list. Such a list is as new as the server was when it was
// asked, and so has all that the last controller wrote. A plain list may be older.
type Written struct {
	lock     sync.Mutex // guards versions
	versions map[Key]string
}

// NewWritten remembers nothing yet.
func NewWritten() *Written { return &Written{versions: map[Key]string{}} }

// Note remembers the version that the API server has answered a write with.
func (w *Written) Note(place Key, version string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.versions[place] = version
}

// Check is an error while a cache that has reached a version has not seen the last write to the place. Versions of one
// resource can be compared, whichever object they belong to.
func (w *Written) Check(place Key, reached string) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	version, ok := w.versions[place]
	if !ok {
		return nil
	}
	if order, err := resourceversion.CompareResourceVersion(reached, version); err == nil && order < 0 {
		return &StaleError{Place: place, Written: version, Reached: reached}
	}
	delete(w.versions, place)
	return nil
}
