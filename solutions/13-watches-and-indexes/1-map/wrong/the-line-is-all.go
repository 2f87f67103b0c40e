// Misconception: an update matters if the Pod looks other.
// Caught by: TestAPodThatMoves
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
			before, after := linesOf(e.ObjectOld), linesOf(e.ObjectNew)
			one, _ := e.ObjectOld.(*corev1.Pod)
			other, _ := e.ObjectNew.(*corev1.Pod)
			if one != nil && other != nil && lineOf(one) == lineOf(other) && !resync(e) {
				return // wrong: it may have moved
			}
			add(q, before, after, true)
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) {
			add(q, linesOf(e.Object), nil, true)
		},
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}
