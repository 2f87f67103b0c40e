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
	defer w.Queue.ShutDown()
	var late []string
	for _, checker := range w.Synced {
		select {
		case <-checker.Done():
			continue
		case <-ctx.Done():
		}
		if !cache.IsDone(checker) {
			late = append(late, checker.Name())
		}
	}
	if len(late) > 0 {
		return fmt.Errorf("not synced: %q: %w", late, context.Cause(ctx))
	}
	// One goroutine takes keys, and each key has a goroutine of its own while there is room.
	room := make(chan struct{}, w.Workers)
	var running sync.WaitGroup
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// A queue that is shut down hands out a key once more after its Done, if it was added meanwhile.
		for begun := true; ; {
			room <- struct{}{}
			key, shutdown := w.Queue.Get()
			if shutdown && !begun {
				return
			}
			if shutdown {
				<-room
				running.Wait()
				begun = false
				continue
			}
			begun = true
			running.Go(func() {
				w.one(ctx, key)
				<-room
			})
		}
	}()
	select {
	case <-ctx.Done():
		w.Queue.ShutDown()
		<-ended
	case <-ended:
	}
	running.Wait()
	return nil
}

func (w Work) one(ctx context.Context, key Key) {
	returned, err := false, error(nil)
	defer w.Queue.Done(key)
	defer func() {
		if !returned {
			err = fmt.Errorf("panic: %v", recover())
		}
		w.after(key, err)
	}()
	if ctx.Err() == nil {
		err = w.Reconcile(ctx, key)
	}
	returned = true
}

func (w Work) after(key Key, err error) {
	var status apierrors.APIStatus
	switch {
	case err == nil:
		w.Queue.Forget(key)
		return
	case errors.As(err, &status) && apierrors.IsConflict(err):
	default:
		w.Report(key, fmt.Errorf("%s/%s: %w", key.Namespace, key.Name, err))
	}
	w.Queue.AddRateLimited(key)
}
