// Breaks: It has been added when the method returns.
// Caught by: TestCreations
// Message: each key has been added when the method returns

//go:build wrong

package mapping

import (
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			go q.Add(key) // wrong
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			go q.Add(key) // wrong
		}
	}
}
