// Misconception: A queue that has said that it is shut down hands out nothing more.
// Caught by: TestSomebodyElseShutsTheQueueDownWhileKeysAreReconciled
// Message: it is handed out once more after its Done, and reconciled

//go:build wrong

package worker

import (
	"context"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func (w Work) Run(ctx context.Context) error {
	defer w.Queue.ShutDown()
	if err := w.wait(ctx); err != nil {
		return err
	}
	ending, end := context.WithCancel(ctx)
	var keeper, begun sync.WaitGroup
	keeper.Go(func() { <-ending.Done(); w.Queue.ShutDown() })
	defer keeper.Wait()
	defer end()
	slots := make(chan struct{}, w.Workers)
	for {
		slots <- struct{}{}
		key, shutdown := w.Queue.Get() // wrong: one Get speaks for all workers
		if shutdown {
			break
		}
		begun.Go(func() {
			defer func() { <-slots }()
			w.one(ctx, key)
		})
	}
	begun.Wait()
	return nil
}

func (w Work) one(ctx context.Context, key Key) {
	defer w.Queue.Done(key)
	if ctx.Err() != nil {
		return
	}
	err := w.attempt(ctx, key)
	if err == nil {
		w.Queue.Forget(key)
		return
	}
	w.Queue.AddRateLimited(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
}
