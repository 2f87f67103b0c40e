// Breaks: The same event again leads to the same keys again.
// Caught by: TestTheSameEventAgain
// Message: the belief that what came before has to be known

//go:build wrong

package mapping

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

// New passes over what was deleted already.
func New() handler.EventHandler {
	var gone sync.Map
	return handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q Queue) {
			add(q, linesOf(e.ObjectOld), linesOf(e.ObjectNew), resync(e))
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) {
			pod, _ := e.Object.(*corev1.Pod)
			if pod == nil {
				return
			}
			if _, seen := gone.LoadOrStore(fmt.Sprint(e.DeleteStateUnknown, pod), true); seen {
				return // wrong
			}
			add(q, linesOf(e.Object), nil, true)
		},
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}
