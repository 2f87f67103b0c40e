// Misconception: what is being deleted is gone.
// Caught by: TestWhatIsBeingDeleted
// Message: Points to: the belief that what is being deleted is gone. Until its last finalizer goes it is there, and is
// read

//go:build wrong

package two

import (
	"context"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Reconcile implements reconcile.Reconciler.
func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := k.client.Get(ctx, request.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if found.DeletionTimestamp != nil {
		return reconcile.Result{}, nil // wrong: it is still there, and is read
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, client.IgnoreNotFound(k.write(ctx, &found, value))
}
