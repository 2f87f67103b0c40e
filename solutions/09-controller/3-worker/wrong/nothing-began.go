// Breaks: When Run returns, the queue is shut down, whatever Run returns, and no goroutine of it is left.
// Caught by: TestEndsBeforeTheCaches
// Message: the queue is shut down

//go:build wrong

package worker

import (
	"context"
	"sync"
)

func (w Work) Run(ctx context.Context) error {
	if err := w.wait(ctx); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, w.Queue.ShutDown)
	defer stop()
	defer w.Queue.ShutDown()
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
