// Breaks: wrapped. Its text may be anything, and other errors may have texts that look like it.
// Caught by: TestAConflict
// Message: a conflict is not reported: writing a

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
	if status, ok := err.(apierrors.APIStatus); !ok || status.Status().Reason != "Conflict" {
		w.Report(key, err)
	}
	return true
}
