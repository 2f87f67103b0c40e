// Misconception: a report must hold up no worker, so a goroutine makes it, for which nobody waits.
// Caught by: TestTheEndOfReports
// Message: the belief that a goroutine which is only for reporting is nobody's

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
	if !apierrors.IsConflict(err) {
		go w.Report(key, err)
	}
	return true
}
