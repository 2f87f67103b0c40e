// Breaks: No other method of the queue is called.
// Caught by: TestAResync
// Message: called were AddAfter

//go:build wrong

package mapping

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			if ok && was == now {
				q.AddAfter(key, time.Second) // wrong
			} else {
				q.Add(key)
			}
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.Add(key)
		}
	}
}
