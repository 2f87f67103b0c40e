// Misconception: a recover at the top of a goroutine is enough.
// Caught by: TestAPanic
// Message: a panics, and b is reconciled at 0s
// Removes: Work.attempt

//go:build wrong

package worker

import (
	"context"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func (w Work) Run(ctx context.Context) error {
	defer w.Queue.ShutDown()
	if err := w.wait(ctx); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, w.Queue.ShutDown)
	defer stop()
	var workers sync.WaitGroup
	for range w.Workers {
		workers.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					w.Report(Key{}, fmt.Errorf("a worker panicked: %v", p))
				}
			}()
			for w.next(ctx) {
			}
		})
	}
	workers.Wait()
	return nil
}

func (w Work) next(ctx context.Context) bool {
	key, shutdown := w.Queue.Get()
	if shutdown {
		return false
	}
	defer w.Queue.Done(key)
	if ctx.Err() != nil {
		return true
	}
	err := w.Reconcile(ctx, key)
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
