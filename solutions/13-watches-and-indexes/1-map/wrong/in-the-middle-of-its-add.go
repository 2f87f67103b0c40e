// Breaks: It has been added when the method returns.
// Caught by: TestNoneWaitsForAnother
// Message: Points to: the belief that a key whose Add still runs is as good as added. What it was added for came before

//go:build wrong

package mapping

import (
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sync"
)

// adding has the keys whose Add runs, of each queue.
var adding sync.Map

func addOne(q Queue, key reconcile.Request) {
	this := struct {
		queue Queue
		key   reconcile.Request
	}{q, key}
	if _, runs := adding.LoadOrStore(this, true); runs {
		return
	}
	defer adding.Delete(this)
	q.Add(key)
}

// add adds the keys of the summaries that differ, or of all.
func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			addOne(q, key)
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			addOne(q, key)
		}
	}
}
