// Misconception: a worker whose run has panicked cannot go on.
// Caught by: TestAsManyAsThereAreWorkers
// Message: a panics, and an hour later two workers reconcile b and c at one time

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
	ending, end := context.WithCancel(ctx)
	var keeper, workers sync.WaitGroup
	keeper.Go(func() { <-ending.Done(); w.Queue.ShutDown() })
	defer keeper.Wait()
	defer end()
	left := w.Workers
	var lock sync.Mutex
	lost := func() bool { // the last one stays
		lock.Lock()
		defer lock.Unlock()
		if left > 1 {
			left--
			return true
		}
		return false
	}
	for range w.Workers {
		workers.Go(func() {
			for {
				more, panicked := w.one(ctx)
				if !more || panicked && lost() {
					return
				}
			}
		})
	}
	workers.Wait()
	return nil
}

func (w Work) one(ctx context.Context) (more, panicked bool) {
	key, shutdown := w.Queue.Get()
	if shutdown {
		return false, false
	}
	defer w.Queue.Done(key)
	if ctx.Err() != nil {
		return true, false
	}
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				panicked, err = true, fmt.Errorf("reconciling %s panicked: %v", key, p)
			}
		}()
		return w.Reconcile(ctx, key)
	}()
	if err == nil {
		w.Queue.Forget(key)
		return true, false
	}
	w.Queue.AddRateLimited(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true, panicked
}
