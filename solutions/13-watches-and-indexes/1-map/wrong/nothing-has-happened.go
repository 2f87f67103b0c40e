// Misconception: nothing has happened when nothing has changed.
// Caught by: TestAResync
// Message: the belief that nothing has happened when nothing has changed
// Removes: resync

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
			add(q, linesOf(e.ObjectOld), linesOf(e.ObjectNew), false) // wrong
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) {
			add(q, linesOf(e.Object), nil, true)
		},
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}
