package scenario

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Key is what is in the queues: the namespace and the name of an object.
type Key = cache.ObjectName

// Queue is what a crew works on.
type Queue = workqueue.TypedRateLimitingInterface[Key]

// Crew is workers on a queue.
type Crew struct {
	Queue Queue
	Store cache.Store
	// Add is what the handler does with a key. By default it is the queue's Add.
	Add func(key Key, isInInitialList bool)
	// Pause is how long a run takes.
	Pause time.Duration
	// Process is what a run does. By default it fails as often as the object says: see [Crew.FailAsTold].
	Process func(Key, *corev1.ConfigMap) error
	// Ended, if it is set, is called after each run, before the queue is told.
	Ended func(Key, Run)

	Record

	workers sync.WaitGroup
}

// NewCrew makes a crew without workers.
func NewCrew(queue Queue, store cache.Store) *Crew {
	c := &Crew{Queue: queue, Store: store, Record: Record{keys: map[string]*history{}}}
	c.Add = func(key Key, _ bool) { queue.Add(key) }
	c.Process = c.FailAsTold
	return c
}

// Start has so many workers begin.
func (c *Crew) Start(workers int) {
	for range workers {
		c.workers.Go(c.work)
	}
}

// Wait waits until all workers have ended, as they do when the queue has shut down.
func (c *Crew) Wait() { c.workers.Wait() }

// Enqueue is the handler, for [World.Tell]: it adds the key of what has changed, and returns.
func (c *Crew) Enqueue(object any, isInInitialList bool) {
	key, err := cache.DeletionHandlingObjectToName(object)
	if err != nil {
		return // no object of an informer
	}
	c.added(key)
	c.Add(key, isInInitialList)
}

// work is a worker.
func (c *Crew) work() {
	for {
		key, shutdown := c.Queue.Get()
		if shutdown {
			return
		}
		c.processNext(key)
	}
}

// processNext is what a worker does with a key.
func (c *Crew) processNext(key Key) {
	defer c.Queue.Done(key)
	if err := c.Run(key); err != nil {
		c.Queue.AddRateLimited(key)
		return
	}
	c.Queue.Forget(key)
}

// Run reads an object as the store has it, processes it, and records that. The store may be behind the API server.
func (c *Crew) Run(key Key) error {
	object := c.read(key)
	number, gate := c.begin(key, object)
	time.Sleep(c.Pause)
	if gate != nil {
		<-gate
	}
	err := c.Process(key, object)
	run := c.end(key, number, err)
	if c.Ended != nil {
		c.Ended(key, run)
	}
	return err
}

// read returns nil if there is no such object.
func (c *Crew) read(key Key) *corev1.ConfigMap {
	object, exists, err := c.Store.GetByKey(key.String())
	if err != nil || !exists {
		return nil
	}
	return object.(*corev1.ConfigMap)
}

// errFails is why a run fails that is told to.
var errFails = errors.New("the object says so")

// FailAsTold fails if the object has a number of failures in its data, and has failed less often since it was
// forgotten.
func (c *Crew) FailAsTold(key Key, object *corev1.ConfigMap) error {
	if object == nil {
		return nil
	}
	if n, err := strconv.Atoi(object.Data["failures"]); err == nil && c.Queue.NumRequeues(key) < n {
		return errFails
	}
	return nil
}

// Until waits for something to be so, and looks often.
func Until(ctx context.Context, so func() bool) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
