// Breaks: None waits for another, however long the Add of one takes.
// Caught by: TestNoneWaitsForAnother
// Message: Points to: the belief that a lock may be held while somebody else's code runs. That code may call back, and
// may take as long as it likes

//go:build wrong

package mapping

import (
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sync"
)

var adding sync.Mutex

// add adds the keys of the summaries that differ, or of all.
func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	adding.Lock()
	defer adding.Unlock()
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			q.Add(key)
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.Add(key)
		}
	}
}
