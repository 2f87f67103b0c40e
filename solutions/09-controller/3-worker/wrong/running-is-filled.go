// Misconception: a cache is filled when its informer runs.
// Caught by: TestNothingBeforeTheCaches
// Message: the belief that a cache is filled when its informer runs

//go:build wrong

package worker

import (
	"context"
	"sync"
)

func (w Work) Run(ctx context.Context) error {
	defer w.Queue.ShutDown()
	go func() {
		if err := w.wait(ctx); err != nil {
			w.Queue.ShutDown()
		}
	}()
	stop := context.AfterFunc(ctx, w.Queue.ShutDown)
	defer stop()
	var workers sync.WaitGroup
	for range w.Workers {
		workers.Go(func() {
			for w.next(ctx) {
			}
		})
	}
	workers.Wait()
	return nil
}
