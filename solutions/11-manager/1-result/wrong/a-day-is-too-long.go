// Misconception: a call that takes an hour hangs.
// Caught by: TestTheEndOfTheContext
// Message: nobody has stopped the controller

//go:build wrong

package result

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r Reconciler) ask(ctx context.Context, key Key, object *corev1.ConfigMap) (reconcile.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Hour) // wrong: who calls says how long it may take
	defer cancel()
	needed, err := r.Keeper.Needs(ctx, key)
	if err != nil {
		return reconcile.Result{}, err
	}
	if needed {
		return reconcile.Result{RequeueAfter: AskAgain}, nil
	}
	return outcome(r.Writer.Delete(ctx, key, preconditions(object)))
}
