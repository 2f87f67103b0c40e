// Misconception: nobody knows what a deletion was about whose last state is unknown.
// Caught by: TestDeletions
// Message: a deletion with DeleteStateUnknown

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
			add(q, linesOf(e.ObjectOld), linesOf(e.ObjectNew), resync(e))
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) {
			if !e.DeleteStateUnknown { // wrong: it was last seen in these
				add(q, linesOf(e.Object), nil, true)
			}
		},
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}
