// Misconception: goroutines are cheap, and so each key has one.
// Caught by: TestAsManyAsThereAreWorkers
// Message: 1 are reconciled at one time

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
	go func() {
		defer w.Queue.Done(key)
		if ctx.Err() == nil {
			w.deal(ctx, key)
		}
	}()
	return true
}

func (w Work) deal(ctx context.Context, key Key) {
	err := w.attempt(ctx, key)
	if err == nil {
		w.Queue.Forget(key)
		return
	}
	w.Queue.AddRateLimited(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
}
