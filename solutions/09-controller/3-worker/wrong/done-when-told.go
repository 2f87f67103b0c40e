// Misconception: whoever is told to end has ended.
// Caught by: TestTheEnd
// Message: the belief that whoever is told to end has ended

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
	all := make(chan struct{})
	go func() {
		workers.Wait()
		close(all)
	}()
	select {
	case <-ctx.Done():
	case <-all:
	}
	return nil
}
