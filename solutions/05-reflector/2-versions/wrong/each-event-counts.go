// Misconception: the version of each event is one to go on from.
// Caught by: TestSyntheticEvents
// Message: the belief that each event's version is one to go on from

//go:build wrong

package versions

import "k8s.io/apimachinery/pkg/watch"

func (v *Versions) Event(event watch.Event) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if event.Type != watch.Added {
		v.synthetic = false
	}
	v.last = versionOf(event)
	return true
}
