// Misconception: the queue drops what is added twice.
// Caught by: TestTheList
// Message: the belief that the queue makes up for a key that is added twice

//go:build wrong

package mapping

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// New adds what it finds.
func New() handler.EventHandler {
	return handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q Queue) { each(e.Object, q) },
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q Queue) {
			add(q, linesOf(e.ObjectOld), linesOf(e.ObjectNew), resync(e))
		},
		DeleteFunc:  func(_ context.Context, e event.DeleteEvent, q Queue) { each(e.Object, q) },
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) { each(e.Object, q) },
	}
}

func each(object client.Object, q Queue) {
	pod, _ := object.(*corev1.Pod)
	if pod == nil {
		return
	}
	for _, name := range append(strings.Split(pod.Annotations[AlsoIn], ","), pod.Labels[App]) {
		if name = strings.TrimSpace(name); name != "" {
			key := types.NamespacedName{Namespace: pod.Namespace, Name: name}
			q.Add(reconcile.Request{NamespacedName: key}) // wrong: it may be named twice
		}
	}
}
