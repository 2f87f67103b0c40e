package main

import (
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"

	twosets "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/1-two-sets"
	delays "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/2-delays"
	backoff "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/3-backoff"
	book "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// inQueue says whether a piece of the reader's is part of the queue.
func (p pieces) inQueue() bool { return p.sets || p.delays || p.backoff }

// queue puts the reader's pieces on top of each other, and the book's for the rest.
func (p pieces) queue(limiter workqueue.TypedRateLimiter[mirror.Key]) workqueue.TypedRateLimitingInterface[mirror.Key] {
	var sets workqueue.TypedInterface[mirror.Key] = book.New(workqueue.TypedQueueConfig[mirror.Key]{})
	if p.sets {
		sets = &yours{Queue: twosets.New[mirror.Key]()}
	}
	var later workqueue.TypedDelayingInterface[mirror.Key]
	if p.delays {
		later = &delaying{TypedInterface: sets, delays: delays.New(sets.Add)}
	} else {
		later = book.NewDelaying(workqueue.TypedDelayingQueueConfig[mirror.Key]{Queue: sets})
	}
	if p.backoff {
		limiter = backoff.New[mirror.Key](5*time.Millisecond, time.Minute)
	}
	return book.NewRateLimiting(limiter, workqueue.TypedRateLimitingQueueConfig[mirror.Key]{DelayingQueue: later})
}

// yours is the reader's Queue, whose ShutDown is called once.
type yours struct {
	*twosets.Queue[mirror.Key]
	shutDown sync.Once
}

var _ workqueue.TypedInterface[mirror.Key] = (*yours)(nil)

// ShutDown implements TypedInterface.
func (y *yours) ShutDown() { y.shutDown.Do(y.Queue.ShutDown) }

// delaying is a TypedDelayingInterface on the reader's Delays.
type delaying struct {
	workqueue.TypedInterface[mirror.Key]
	delays *delays.Delays[mirror.Key]
}

var _ workqueue.TypedDelayingInterface[mirror.Key] = (*delaying)(nil)

// AddAfter implements TypedDelayingInterface.
func (d *delaying) AddAfter(item mirror.Key, after time.Duration) { d.delays.AddAfter(item, after) }

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
