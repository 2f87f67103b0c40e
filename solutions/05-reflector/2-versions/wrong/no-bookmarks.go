// Misconception: a bookmark says that nothing has happened.
// Caught by: TestEvents
// Message: the belief that a bookmark changes nothing

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
	if event.Type == watch.Bookmark {
		return false
	}
	v.last = versionOf(event)
	return true
}
