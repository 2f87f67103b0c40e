// Breaks: An update whose objects have the same resourceVersion, a resync: those of all in which one of them counts.
// Caught by: TestAResync
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

func New() handler.EventHandler {
	return handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q Queue) {
			if after, _ := e.ObjectNew.(*corev1.Pod); after != nil && resync(e) {
				add(q, nil, linesOf(after), true) // wrong
				return
			}
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
