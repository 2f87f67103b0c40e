// Breaks: Reconcile is called once for each key that the queue hands out, until ctx ends.
// Caught by: TestNothingBeforeTheCaches
// Message: both caches are filled at 2m0s: a and b are reconciled

//go:build wrong

package worker

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func (w Work) next(ctx context.Context) bool {
	key, shutdown := w.Queue.Get()
	if shutdown {
		return false
	}
	defer w.Queue.Done(key)
	if ctx.Err() != nil {
		return true
	}
	err := w.attempt(ctx, key)
	if err == nil && ctx.Err() == nil {
		err = w.attempt(ctx, key) // to see that all is right now
	}
	if err == nil {
		w.Queue.Forget(key)
		return true
	}
	w.Queue.AddRateLimited(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}
