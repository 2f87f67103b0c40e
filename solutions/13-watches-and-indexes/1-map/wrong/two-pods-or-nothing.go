// Breaks: One of them, or both, may be no Pod, as above: it counts in none.
// Caught by: TestWhatIsNoPod
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
			before, isPod := e.ObjectOld.(*corev1.Pod)
			after, arePods := e.ObjectNew.(*corev1.Pod)
			if !isPod || !arePods || before == nil || after == nil {
				return // wrong: the other one counts
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
