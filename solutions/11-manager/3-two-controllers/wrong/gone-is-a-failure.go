// Misconception: what is not there is a failure.
// Caught by: TestWhatIsGone
// Message: the belief that what is not there is a failure

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
		return reconcile.Result{}, err // wrong
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, client.IgnoreNotFound(k.write(ctx, &found, value))
}
