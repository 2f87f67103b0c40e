// Misconception: a run tries a few times before it gives up.
// Caught by: TestAFailureComesAgainLater
// Message: the runs are a at 0s, a at 1s, a at 3s, a at 7s

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
		return reconcile.Result{RequeueAfter: AskAgain}, nil
	}
	for range 3 { // wrong: the queue does that, and does not keep a worker
		if err = r.Writer.Delete(ctx, key, preconditions(object)); err == nil {
			break
		}
	}
	return outcome(err)
}
