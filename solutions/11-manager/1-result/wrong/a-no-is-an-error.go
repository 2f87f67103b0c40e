// Breaks: In all other cases no error.
// Caught by: TestTheKeeper
// Message: the Keeper needs a the first three times that it is asked: no error is returned

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
		return reconcile.Result{}, err
	}
	if needed {
		return reconcile.Result{}, fmt.Errorf("%s is needed", key) // wrong
	}
	return outcome(r.Writer.Delete(ctx, key, preconditions(object)))
}
