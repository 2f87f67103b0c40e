// Breaks: AskAgain after the Keeper's answer, if the Keeper needs it. Each time.
// Caught by: TestTheKeeper
// Message: the Keeper takes 30m0s to say that it needs a

//go:build wrong

package result

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r Reconciler) ask(ctx context.Context, key Key, object *corev1.ConfigMap) (reconcile.Result, error) {
	asked := time.Now()
	needed, err := r.Keeper.Needs(ctx, key)
	if err != nil {
		return reconcile.Result{}, err
	}
	if needed {
		return reconcile.Result{RequeueAfter: max(time.Until(asked.Add(AskAgain)), time.Nanosecond)}, nil // wrong
	}
	return outcome(r.Writer.Delete(ctx, key, preconditions(object)))
}
