// Breaks: If somebody else shuts the queue down, Run reconciles what is still handed out, and returns nil.
// Caught by: TestSomebodyElseShutsTheQueueDown
// Message: the queue is shut down while b waits: b is reconciled

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
	if ctx.Err() != nil || w.Queue.ShuttingDown() && w.Workers == 1 {
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
