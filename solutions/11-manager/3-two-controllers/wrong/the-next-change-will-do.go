// Misconception: a write that fails is made when the ConfigMap changes again.
// Caught by: TestAFailureIsMadeGood
// Message: the belief that a change brings the next run, also after a failure

//go:build wrong

package two

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := k.client.Get(ctx, request.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) {
		return reconcile.Result{}, nil
	}
	if err := k.write(ctx, &found, value); err != nil {
		log.Println("not written:", err) // wrong: nobody comes again
	}
	return reconcile.Result{}, nil
}
