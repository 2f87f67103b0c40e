// Misconception: when the Keeper changes its mind, a change will bring the key.
// Caught by: TestTheKeeper
// Message: the belief that somebody tells when what was waited for has come

//go:build wrong

package result

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r Reconciler) ask(ctx context.Context, key Key, object *corev1.ConfigMap) (reconcile.Result, error) {
	needed, err := r.Keeper.Needs(ctx, key)
	if err != nil {
		return reconcile.Result{}, err
	}
	if needed {
		return reconcile.Result{}, nil // wrong: nobody watches it
	}
	return outcome(r.Writer.Delete(ctx, key, preconditions(object)))
}
