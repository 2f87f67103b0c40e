// Package worker is what stands between a controller's queue and the function that makes a place right.
package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// A Key is what is queued.
type Key = cache.ObjectName

// Work is workers, and what they work with.
type Work struct {
	// Workers is how many there are.
	Workers int
	// Queue is where the keys are from.
	Queue workqueue.TypedRateLimitingInterface[Key]
	// Synced are the caches that Reconcile reads. Each is done when it is filled.
	Synced []cache.DoneChecker
	// Reconcile makes one key right. It may be called for several at one time.
	Reconcile func(ctx context.Context, key Key) error
	// Report tells a person of a failure. It may be called by several workers at one time.
	Report func(key Key, err error)
}

// Run has the workers work, and returns when all is over.
//
// The beginning:
//
//   - No key is reconciled before all of Synced are done.
//   - If ctx ends before that, Run returns an error. Its text has the names of all that are not done, and of no others,
//     and errors.Is finds context.Cause(ctx) in it.
//   - Then as many keys are reconciled at one time as there are Workers, and no more.
//
// With each key:
//
//   - Reconcile is called once for each key that the queue hands out, until ctx ends. It gets ctx, or one that is made
//     from it and ends when it does.
//   - Done is called once for each key that the queue hands out. Before that Reconcile has returned, and the queue has
//     been told what came of it.
//   - If Reconcile returns nil, the key's failures are forgotten, and it does not come again by itself.
//   - If Reconcile returns an error, whichever it is, the key comes again, later after each failure, as the queue's
//     limiter has it, and however often that happens.
//   - The error is given to Report, bare or wrapped. When ctx has ended it may be left out.
//   - A conflict is an error like any other, but is not reported: the next attempt reads what is there by then. It may
//     be wrapped. Its text may be anything, and other errors may have texts that look like it.
//   - A panic of Reconcile is an error of that key, whose text has what was panicked with.
//   - A key that has failed keeps no worker from other keys.
//
// The end:
//
//   - When ctx ends, the queue is shut down, and no Reconcile begins any more.
//   - Run waits for those that have begun, and for their reports. Then it returns nil.
//   - If somebody else shuts the queue down, Run reconciles what is still handed out, and returns nil.
//   - When Run returns, the queue is shut down, whatever Run returns, and no goroutine of it is left.
func (w Work) Run(ctx context.Context) error {
	//solution:begin
	//todo: wait for the caches, work, and come to an end
	//stub: _, _ = apierrors.IsConflict, fmt.Errorf
	//stub: var _ sync.WaitGroup
	//stub: return errors.New("nobody works yet")
	defer w.Queue.ShutDown()
	if err := w.wait(ctx); err != nil {
		return err
	}
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
	//solution:end
}

//solution:begin

// wait returns when the caches are filled, or says which are not when ctx has ended.
func (w Work) wait(ctx context.Context) error {
	for _, checker := range w.Synced {
		select {
		case <-checker.Done():
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("caches that are not filled: %v", w.missing()), context.Cause(ctx))
		}
	}
	return nil
}

func (w Work) missing() (names []string) {
	for _, checker := range w.Synced {
		if !cache.IsDone(checker) {
			names = append(names, checker.Name())
		}
	}
	return names
}

// next deals with one key. It reports false if there is none to come.
func (w Work) next(ctx context.Context) bool {
	key, shutdown := w.Queue.Get()
	if shutdown {
		return false
	}
	defer w.Queue.Done(key)
	if ctx.Err() != nil {
		return true
	}
	err := w.attempt(ctx, key)
	if err == nil {
		w.Queue.Forget(key)
		return true
	}
	w.Queue.AddRateLimited(key)
	if !apierrors.IsConflict(err) {
		w.Report(key, err)
	}
	return true
}

// attempt is Reconcile, whose panic is an error.
func (w Work) attempt(ctx context.Context, key Key) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("reconciling %s panicked: %v", key, p)
		}
	}()
	return w.Reconcile(ctx, key)
}

//solution:end
