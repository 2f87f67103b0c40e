// Breaks: Each key is added once for an event, in any order.
// Caught by: TestAResync
// Message: the belief that the queue makes up

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
			if resync(e) {
				add(q, nil, linesOf(e.ObjectOld), true)
				add(q, nil, linesOf(e.ObjectNew), true) // wrong: they have most keys in common
				return
			}
			add(q, linesOf(e.ObjectOld), linesOf(e.ObjectNew), false)
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) {
			add(q, linesOf(e.Object), nil, true)
		},
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}
