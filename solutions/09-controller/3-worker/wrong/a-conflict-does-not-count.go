// Misconception: a conflict is no failure, so the next one should wait no longer.
// Caught by: TestAConflict
// Message: the belief that a conflict does not count

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
	if apierrors.IsConflict(err) {
		w.Queue.Forget(key)
		w.Queue.AddRateLimited(key)
		return true
	}
	w.Queue.AddRateLimited(key)
	w.Report(key, err)
	return true
}
