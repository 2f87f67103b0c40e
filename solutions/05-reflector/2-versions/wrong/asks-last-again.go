// Misconception: a watch is in its initial state for as long as Last is "" or "0".
// Caught by: TestWhereTheWatchWasOpened
// Message: the belief that Last says what the watch is doing

//go:build wrong

package versions

import "k8s.io/apimachinery/pkg/watch"

func (v *Versions) Opened() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.synthetic = true
}

func (v *Versions) Event(event watch.Event) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.synthetic && event.Type == watch.Added && (v.last == "" || v.last == "0") {
		return false
	}
	v.last = versionOf(event)
	return true
}
