// Breaks: Run waits for those that have begun, and for their reports. Then it returns nil.
// Caught by: TestTheEnd
// Message: a and b have ended: Run returns nil

//go:build wrong

package worker

import (
	"context"
	"sync"
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
			for w.next(ctx) {
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}
