// Misconception: the cache shows each write once, before anything later.
// Caught by: TestSomebodyIsQuick
// Message: Points to: the belief that every state of an object is read once. A cache has the last one, and what was
// written may never be seen

//go:build wrong

package two

import (
	"context"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sync"
)

// written are the notes that the cache has not shown yet.
var written sync.Map

func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := k.client.Get(ctx, request.NamespacedName, &found); err != nil {
		written.Delete([2]any{k.Name, request})
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) {
		written.Delete([2]any{k.Name, request})
		return reconcile.Result{}, nil
	}
	if was, ok := written.Load([2]any{k.Name, request}); ok && was == value {
		return reconcile.Result{}, nil // wrong: what was written may be gone already, and never be seen
	}
	err := k.write(ctx, &found, value)
	if err == nil {
		written.Store([2]any{k.Name, request}, value)
	}
	return reconcile.Result{}, client.IgnoreNotFound(err)
}
