// Breaks: The error is given to Report, bare or wrapped. When ctx has ended it may be left out.
// Caught by: TestSomebodyElseShutsTheQueueDownWhileKeysAreReconciled
// Message: the queue is shut down, then b fails: it is reported

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
	if !apierrors.IsConflict(err) && !w.Queue.ShuttingDown() {
		w.Report(key, err)
	}
	return true
}
