package routing

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Object makes a handler that answers an event with the key of its object: what a builder's For does.
//
// Upstream's counterpart is handler.EnqueueRequestForObject, in controller-runtime's pkg/handler/enqueue.go.
func Object() *Handler {
	return &Handler{keys: func(_ context.Context, o client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	}}
}
