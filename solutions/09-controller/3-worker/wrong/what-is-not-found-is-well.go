// Misconception: an object that is not found has been deleted, and needs no other attempt.
// Caught by: TestAnyErrorIsAnError
// Message: the belief that a worker knows which errors matter

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
	if err == nil || apierrors.IsNotFound(err) {
		w.Queue.Forget(key)
		return true
	}
	w.Queue.AddRateLimited(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}
