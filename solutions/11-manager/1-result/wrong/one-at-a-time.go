// Breaks: It may be called for several keys at one time, and none waits for another.
// Caught by: TestWaitingKeepsNobody
// Message: b is deleted at 0s

//go:build wrong

package result

import (
	"context"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r Reconciler) ask(ctx context.Context, key Key, object *corev1.ConfigMap) (reconcile.Result, error) {
	for !asking.CompareAndSwap(false, true) { // wrong
		time.Sleep(time.Second)
	}
	defer asking.Store(false)
	needed, err := r.Keeper.Needs(ctx, key)
	if err != nil {
		return reconcile.Result{}, err
	}
	if needed {
		return reconcile.Result{RequeueAfter: AskAgain}, nil
	}
	return outcome(r.Writer.Delete(ctx, key, preconditions(object)))
}

var asking atomic.Bool
