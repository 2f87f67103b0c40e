// Misconception: a worker should wait for what failed.
// Caught by: TestAFailureHoldsUpNobody
// Message: the belief that a worker should wait for what failed

//go:build wrong

package worker

import (
	"context"
	"time"

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
	time.Sleep(100 * time.Millisecond << min(w.Queue.NumRequeues(key), 2))
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}
