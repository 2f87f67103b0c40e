// Misconception: many events become one run if the key waits for a moment.
// Caught by: TestCreations
// Message: the belief that many events become one run by waiting

//go:build wrong

package mapping

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			q.AddAfter(key, time.Second) // wrong: the queue does this by itself
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.AddAfter(key, time.Second) // wrong: the queue does this by itself
		}
	}
}
