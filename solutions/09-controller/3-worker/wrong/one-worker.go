// Breaks: Then as many keys are reconciled at one time as there are Workers, and no more.
// Caught by: TestAsManyAsThereAreWorkers
// Message: 3 are reconciled at one time

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
	workers.Go(func() {
		for w.next(ctx) {
		}
	})
	workers.Wait()
	return nil
}
