// Breaks: The error is given to Report, bare or wrapped. When ctx has ended it may be left out.
// Caught by: TestAFailureComesAgainLater
// Message: reported

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
	first := w.Queue.NumRequeues(key) == 0
	w.Queue.AddRateLimited(key)
	if first && !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}
