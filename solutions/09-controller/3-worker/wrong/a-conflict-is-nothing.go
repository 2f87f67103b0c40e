// Misconception: a conflict is nothing: somebody else has written.
// Caught by: TestAConflict
// Message: the belief that a conflict is nothing

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
	if !apierrors.IsConflict(err) {
		w.Queue.AddRateLimited(key)
	}
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}
