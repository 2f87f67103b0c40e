// Breaks: When ctx ends, the queue is shut down, and no Reconcile begins any more.
// Caught by: TestTheEnd
// Message: the queue is shut down

//go:build wrong

package worker

import (
	"context"
	"sync"
	"time"
)

func (w Work) Run(ctx context.Context) error {
	defer w.Queue.ShutDown()
	if err := w.wait(ctx); err != nil {
		return err
	}
	var workers sync.WaitGroup
	stop := context.AfterFunc(ctx, func() {
		for w.Queue.Len() > 0 {
			if key, shutdown := w.Queue.Get(); !shutdown {
				w.Queue.Done(key)
			}
		}
		time.AfterFunc(90*time.Minute, w.Queue.ShutDown)
	})
	defer stop()
	for range w.Workers {
		workers.Go(func() {
			for w.next(ctx) {
			}
		})
	}
	workers.Wait()
	return nil
}
