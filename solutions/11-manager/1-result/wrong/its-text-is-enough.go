// Breaks: If there was a failure, its error, bare or wrapped, so that errors.Is finds it.
// Caught by: TestAFailureComesAgainLater
// Message: it is returned

//go:build wrong

package result

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r Reconciler) ask(ctx context.Context, key Key, object *corev1.ConfigMap) (reconcile.Result, error) {
	needed, err := r.Keeper.Needs(ctx, key)
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("asking for %s: %v", key, err) // wrong
	}
	if needed {
		return reconcile.Result{RequeueAfter: AskAgain}, nil
	}
	return outcome(r.Writer.Delete(ctx, key, preconditions(object)))
}
