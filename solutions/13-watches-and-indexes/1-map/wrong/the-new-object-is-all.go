// Misconception: an update is about what the object is now.
// Caught by: TestAPodThatMoves
// Message: the belief that an update is about what the object is now

//go:build wrong

package mapping

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

func New() handler.EventHandler {
	return handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q Queue) {
			before, after := linesOf(e.ObjectOld), linesOf(e.ObjectNew)
			for key := range before {
				if _, ok := after[key]; !ok {
					delete(before, key) // wrong: somebody has to take the line away
				}
			}
			add(q, before, after, resync(e))
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) {
			add(q, linesOf(e.Object), nil, true)
		},
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}
