// Misconception: Forget is called when a key has been dealt with.
// Caught by: TestAFailureComesAgainLater
// Message: reconciled: a at 0s, a at 1s, a at 2s, a at 3s

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
	if err == nil {
		w.Queue.Forget(key)
		return true
	}
	w.Queue.AddRateLimited(key)
	w.Queue.Forget(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}
