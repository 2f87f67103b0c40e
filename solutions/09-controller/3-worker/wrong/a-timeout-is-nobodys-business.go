// Misconception: a timeout passes by itself, and need not be reported.
// Caught by: TestAnyErrorIsAnError
// Message: the belief that a worker knows which errors matter

//go:build wrong

package worker

import (
	"context"
	"errors"

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
	if !apierrors.IsConflict(err) && !errors.Is(err, context.DeadlineExceeded) {
		w.Report(key, err)
	}
	return true
}
