// Breaks: Then it answers as it would before that call or after it.
// Caught by: TestLastWhileItStays
// Message: it was "9"

//go:build wrong

package versions

import "k8s.io/apimachinery/pkg/watch"

func (v *Versions) Event(event watch.Event) bool {
	before := v.Last()
	v.set(versionOf(event))
	v.mu.Lock()
	if event.Type != watch.Added {
		v.synthetic = false
	}
	counts := !v.synthetic
	v.mu.Unlock()
	if !counts {
		v.set(before)
	}
	return counts
}

func (v *Versions) set(version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = version
}
