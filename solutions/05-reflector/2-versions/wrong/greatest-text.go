// Misconception: the greatest version is the newest, and texts can be compared.
// Caught by: TestVersionsAreTexts
// Message: the belief that the greatest version is the newest

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
	version := versionOf(event)
	if version < v.last {
		return false
	}
	v.last = version
	return true
}
