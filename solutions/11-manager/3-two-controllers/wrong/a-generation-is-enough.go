// Misconception: what has the same generation has not changed.
// Caught by: TestOneNoteIsKept
// Message: a gets another entry

//go:build wrong

package two

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := k.client.Get(ctx, request.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if was, ok := k.looked.Swap(request, found.Generation); ok && was == found.Generation {
		return reconcile.Result{}, nil // wrong: a ConfigMap has none
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, client.IgnoreNotFound(k.write(ctx, &found, value))
}

type keeper struct {
	Note
	client client.Client
	looked sync.Map // the generation at the last run, by request
}
