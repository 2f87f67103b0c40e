package main

import (
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"
	upstream "k8s.io/client-go/util/workqueue"

	twosets "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/1-two-sets"
	delays "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/2-delays"
	backoff "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/3-backoff"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
)

// key is what is queued.
type key = cache.ObjectName

// What a key waits that failed.
const (
	base    = 50 * time.Millisecond
	longest = 1000 * time.Second
)

// queue puts the reader's pieces into the book's queue, each where the config of its layer has a place for it.
func (p pieces) queue() (upstream.TypedRateLimitingInterface[key], *remembered) {
	var sets upstream.TypedInterface[key] = workqueue.New(upstream.TypedQueueConfig[key]{})
	switch {
	case p.sets && p.waits:
		sets = &yours{Queue: twosets.New[key]()}
	case p.sets:
		sets = newWaiting(twosets.New[key]())
	}
	var later upstream.TypedDelayingInterface[key]
	if p.delays {
		later = &delaying{TypedInterface: sets, delays: delays.New(sets.Add)}
	} else {
		later = workqueue.NewDelaying(upstream.TypedDelayingQueueConfig[key]{Queue: sets})
	}
	limiter := &remembered{TypedRateLimiter: workqueue.NewExponential[key](base, longest)}
	if p.backoff {
		limiter.TypedRateLimiter = backoff.New[key](base, longest)
	}
	return workqueue.NewRateLimiting(limiter, upstream.TypedRateLimitingQueueConfig[key]{DelayingQueue: later}), limiter
}

// yours is the reader's Queue, whose ShutDown is called once.
type yours struct {
	*twosets.Queue[key]
	shutDown sync.Once
}

var _ upstream.TypedInterface[key] = (*yours)(nil)

// ShutDown implements TypedInterface.
func (y *yours) ShutDown() { y.shutDown.Do(y.Queue.ShutDown) }

// delaying is a TypedDelayingInterface on the reader's Delays.
type delaying struct {
	upstream.TypedInterface[key]
	delays *delays.Delays[key]
}

var _ upstream.TypedDelayingInterface[key] = (*delaying)(nil)

// AddAfter implements TypedDelayingInterface.
func (d *delaying) AddAfter(item key, after time.Duration) { d.delays.AddAfter(item, after) }

// ShutDown drops what waits for its time, and shuts down the queue beneath.
func (d *delaying) ShutDown() {
	d.delays.Stop()
	d.TypedInterface.ShutDown()
}

// ShutDownWithDrain drops that, too: it is not in the queue.
func (d *delaying) ShutDownWithDrain() {
	d.delays.Stop()
	d.TypedInterface.ShutDownWithDrain()
}

// remembered is a limiter, and what it has told.
type remembered struct {
	upstream.TypedRateLimiter[key]
	lock sync.Mutex // guards told
	told []time.Duration
}

// When implements TypedRateLimiter.
func (r *remembered) When(item key) time.Duration {
	delay := r.TypedRateLimiter.When(item)
	r.lock.Lock()
	defer r.lock.Unlock()
	r.told = append(r.told, delay)
	return delay
}

// all is what it has told so far, whatever the item.
func (r *remembered) all() []time.Duration {
	r.lock.Lock()
	defer r.lock.Unlock()
	return slices.Clone(r.told)
}
