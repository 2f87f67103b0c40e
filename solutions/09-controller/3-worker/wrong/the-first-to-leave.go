// Misconception: The first worker that has nothing to do speaks for its whole group.
// Caught by: TestSomebodyElseShutsTheQueueDownWhileKeysAreReconciled
// Message: the ctx that Reconcile got has not ended either

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
	group, leave := context.WithCancel(ctx)
	defer leave()
	var all sync.WaitGroup
	all.Go(func() { <-group.Done(); w.Queue.ShutDown() })
	for range w.Workers {
		all.Go(func() {
			defer leave()
			for w.next(group) {
			}
		})
	}
	all.Wait()
	return nil
}
