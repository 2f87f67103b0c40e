// Misconception: what failed should be tried again at once.
// Caught by: TestAFailureComesAgainLater
// Message: the belief that what failed should be tried again at once

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
	w.Queue.Add(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}
