// Misconception: the limiter is what keeps events from being too many.
// Caught by: TestCreations
// Message: the belief that the limiter is for events

//go:build wrong

package mapping

import (
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			q.AddRateLimited(key) // wrong: nothing has failed
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.AddRateLimited(key) // wrong: nothing has failed
		}
	}
}
