// Misconception: what is there at the start was seen to before.
// Caught by: TestCreations
// Message: the belief that what is there at the start has been dealt with

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
			if e.IsInInitialList {
				return // wrong
			}
			add(q, nil, linesOf(e.Object), true)
		},
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q Queue) {
			add(q, linesOf(e.ObjectOld), linesOf(e.ObjectNew), resync(e))
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) {
			add(q, linesOf(e.Object), nil, true)
		},
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}
