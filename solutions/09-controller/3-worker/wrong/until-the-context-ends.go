// Breaks: If somebody else shuts the queue down, Run reconciles what is still handed out, and returns nil.
// Caught by: TestSomebodyElseShutsTheQueueDown
// Message: the queue is shut down: Run returns nil

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
	<-ctx.Done()
	return nil
}
