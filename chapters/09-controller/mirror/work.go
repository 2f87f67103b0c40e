package mirror

import (
	"context"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Work is what stands between a queue and a function: the workers, when they begin, what they do after a failure, and
// when they end.
type Work struct {
	// Workers is how many there are.
	Workers int
	// Queue is where the keys are from. Run shuts it down.
	Queue workqueue.TypedRateLimitingInterface[Key]
	// Synced are all done before the first key is taken.
	Synced []cache.DoneChecker
	// Reconcile is called for a key by one worker at a time. What it returns decides whether the key comes back.
	Reconcile func(context.Context, Key) error
	// Report is told of each failure but those that are nobody's business. By default it is utilruntime's HandleError.
	Report func(Key, error)
}

// Run has the workers work until ctx ends, and returns when all have ended. The runs that are under way are waited for,
// and no other begins. It is an error if ctx ends before the caches have synced; the error names those that have not.
//
// Upstream: Run, worker and processNextWorkItem of any controller, such as pkg/controller/replicaset/replica_set.go.
func (w Work) Run(ctx context.Context) error {
	defer w.Queue.ShutDown()
	if err := w.synced(ctx); err != nil {
		return err
	}
	// Not context.AfterFunc: its stop does not wait for a function that has begun.
	ending, end := context.WithCancel(ctx)
	var keeper, workers sync.WaitGroup
	keeper.Go(func() { <-ending.Done(); w.Queue.ShutDown() })
	defer keeper.Wait()
	defer end()
	for range w.Workers {
		workers.Go(func() {
			for w.next(ctx) {
			}
		})
	}
	workers.Wait()
	return nil
}

// synced waits for the caches. A run that sees half of what is there would conclude that the other half is not, and
// delete its mirrors.
func (w Work) synced(ctx context.Context) error {
	for _, checker := range w.Synced {
		select {
		case <-checker.Done():
		case <-ctx.Done():
			return fmt.Errorf("waiting until the cache has synced (%s): %w", checker.Name(), context.Cause(ctx))
		}
	}
	return nil
}

// next processes one key. It reports false when there is none to come, or none that is to be begun.
func (w Work) next(ctx context.Context) bool {
	key, shutdown := w.Queue.Get()
	if shutdown {
		return false
	}
	defer w.Queue.Done(key) // or the key would never be handed out again
	if ctx.Err() != nil {
		return true // the queue still hands out what it has
	}
	err := w.attempt(ctx, key)
	if err == nil {
		w.Queue.Forget(key)
		return true
	}
	w.Queue.AddRateLimited(key)
	if !expected(err) && ctx.Err() == nil {
		w.report(key, err)
	}
	return true
}

// attempt is Reconcile, and a panic is its error: one key that is too much for it does not stop all others.
func (w Work) attempt(ctx context.Context, key Key) (err error) {
	defer func() {
		if p := recover(); p != nil {
			for _, handle := range utilruntime.PanicHandlers {
				handle(ctx, p) // logs it with its stack, which an error has not
			}
			err = fmt.Errorf("reconciling %s panicked: %v", key, p)
		}
	}()
	return w.Reconcile(ctx, key)
}

// expected says that a failure only tells that the cache was behind. It passes without anybody's help.
func expected(err error) bool {
	var stale *StaleError
	return apierrors.IsConflict(err) || errors.As(err, &stale)
}

func (w Work) report(key Key, err error) {
	if w.Report != nil {
		w.Report(key, err)
		return
	}
	utilruntime.HandleError(fmt.Errorf("reconciling %s: %w", key, err))
}
