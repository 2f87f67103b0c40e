// Misconception: a key that has failed fifteen times is dropped, or it would clog the queue.
// Caught by: TestAFailureIsNotGivenUp
// Message: the belief that what has failed often enough

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
	if w.Queue.NumRequeues(key) >= 15 {
		w.Queue.Forget(key)
		w.Report(key, err)
		return true
	}
	w.Queue.AddRateLimited(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}
