// Misconception: what Value was given is still what was read.
// Caught by: TestWhatValueLeavesIsNotWhatIs
// Message: Points to: the belief that what Value was given is still what was read. It has been tidied up

//go:build wrong

package two

import (
	"context"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := k.client.Get(ctx, request.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	tidied := found.DeepCopy()
	value := k.Value(tidied)
	if k.right(tidied, value) { // wrong: Value may have changed the annotations, too
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, client.IgnoreNotFound(k.write(ctx, &found, value))
}
