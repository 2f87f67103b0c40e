// Breaks: The error is given to Report, bare or wrapped.
// Caught by: TestAFailureComesAgainLater
// Message: errors.Is finds what Reconcile returned in what is reported

//go:build wrong

package worker

import (
	"context"
	"fmt"

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
		w.Report(key, fmt.Errorf("reconciling %s: %v", key, err))
	}
	return true
}
