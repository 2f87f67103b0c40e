// Misconception: an ADDED tells what there is.
// Caught by: TestEvents
// Message: the belief that an ADDED is part of an initial state

//go:build wrong

package versions

import "k8s.io/apimachinery/pkg/watch"

func (v *Versions) Event(event watch.Event) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if event.Type == watch.Added {
		return false
	}
	v.last = versionOf(event)
	return true
}
