// Misconception: a key that was taken is done with.
// Caught by: TestNothingBeforeTheCaches
// Message: the belief that a key that was taken is done

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
	w.Queue.Done(key)
	if ctx.Err() != nil {
		return true
	}
	err := w.attempt(ctx, key)
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
