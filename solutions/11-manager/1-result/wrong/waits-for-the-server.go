// Misconception: a run waits as long as the API server has asked for, and goes on.
// Caught by: TestARefusalWithATime
// Message: the belief that a run may wait until it is time

//go:build wrong

package result

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	err = r.Writer.Delete(ctx, key, preconditions(object))
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 { // wrong: the worker is kept
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
			err = r.Writer.Delete(ctx, key, preconditions(object))
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return outcome(err)
}
