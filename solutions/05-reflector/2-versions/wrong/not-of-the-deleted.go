// Misconception: the object of a DELETED has its last version from when it lived.
// Caught by: TestEvents
// Message: the belief that a DELETED brings the version that the object had

//go:build wrong

package versions

import "k8s.io/apimachinery/pkg/watch"

func (v *Versions) Event(event watch.Event) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if event.Type != watch.Added {
		v.synthetic = false
	}
	if v.synthetic {
		return false
	}
	if event.Type == watch.Deleted {
		return false
	}
	v.last = versionOf(event)
	return true
}
