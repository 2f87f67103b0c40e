// Misconception: a handler has to remember where a Pod counted.
// Caught by: TestTheSameEventAgain
// Message: the belief that what came before has to be known

//go:build wrong

package mapping

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// New remembers.
func New() handler.EventHandler {
	m := &memory{known: map[types.NamespacedName]map[reconcile.Request]line{}}
	return handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q Queue) {
			m.put(e.Object)
			add(q, nil, linesOf(e.Object), true)
		},
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q Queue) {
			add(q, m.put(e.ObjectNew), linesOf(e.ObjectNew), resync(e)) // wrong: the event has it, too
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) {
			add(q, linesOf(e.Object), nil, true)
		},
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) {
			add(q, nil, linesOf(e.Object), true)
		},
	}
}

type memory struct {
	mu    sync.Mutex
	known map[types.NamespacedName]map[reconcile.Request]line
}

// put returns what was there before.
func (m *memory) put(object client.Object) map[reconcile.Request]line {
	pod, _ := object.(*corev1.Pod)
	if pod == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key := client.ObjectKeyFromObject(pod)
	before := m.known[key]
	m.known[key] = linesOf(pod)
	return before
}
