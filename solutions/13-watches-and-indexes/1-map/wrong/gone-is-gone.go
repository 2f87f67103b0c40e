// Misconception: what is gone is nobody's concern.
// Caught by: TestDeletions
// Message: the belief that there is nothing to do for what is gone

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
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}
