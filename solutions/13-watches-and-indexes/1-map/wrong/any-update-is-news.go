// Misconception: a run too many does no harm.
// Caught by: TestWhatNoLineShows
// Message: the belief that any update is news

//go:build wrong

package mapping

import (
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(q Queue, before, after map[reconcile.Request]line, _ bool) {
	for key := range after {
		q.Add(key) // wrong: also if nothing of it has changed
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.Add(key)
		}
	}
}
