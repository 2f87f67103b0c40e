// Misconception: Done is for the key, and what came of it can be told at any time.
// Caught by: TestAFailureComesAgainLater
// Message: the belief that a worker still has a key after Done.

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
	if ctx.Err() != nil {
		w.Queue.Done(key)
		return true
	}
	err := w.attempt(ctx, key)
	if err == nil {
		w.Queue.Forget(key)
		w.Queue.Done(key)
		return true
	}
	w.Queue.Done(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	w.Queue.AddRateLimited(key)
	return true
}
