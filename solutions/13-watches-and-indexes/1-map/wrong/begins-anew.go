// Misconception: an event gives a key that has failed a new start.
// Caught by: TestCreations
// Message: the belief that a key begins anew

//go:build wrong

package mapping

import (
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			q.Forget(key) // wrong: it may fail again
			q.Add(key)
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.Forget(key) // wrong: it may fail again
			q.Add(key)
		}
	}
}
