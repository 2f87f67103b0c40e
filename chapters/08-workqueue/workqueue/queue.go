package workqueue

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/sets"
	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

// Queue hands items to workers. It promises four things, whoever adds and however many work:
//
//   - An item that is added any number of times before a worker gets it is handed out once.
//   - An item is never with two workers at once.
//   - An item that is added while a worker has it is handed out again when that worker is done with it.
//   - Items are handed out in the order in which they joined the line.
//
// Two sets are enough for it. dirty has what is to be processed, processing has what a worker is processing now. An
// item may be in both. It is in the line if it is dirty and nobody processes it.
//
// Upstream: workqueue.Typed, in util/workqueue/queue.go.
type Queue[T comparable] struct {
	metrics *metrics[T] // nil: none. Its methods are called with the lock

	lock       sync.Mutex // guards what is below it
	dirty      sets.Set[T]
	processing sets.Set[T]
	line       upstream.Queue[T]
	shutDown   bool
	drain      bool

	came sync.Cond // there is an item to get, or nothing will come any more
	idle sync.Cond // nothing waits and nothing is processed, or a drain is called off
}

var _ upstream.TypedInterface[string] = &Queue[string]{}

// New returns a queue. All fields of the config may be left out: by default it has no metrics, the real time, and a
// line in which who joins first leaves first. Unlike upstream's, it knows no provider of metrics that is set for a
// whole program.
//
// Upstream: workqueue.NewTypedWithConfig.
func New[T comparable](config upstream.TypedQueueConfig[T]) *Queue[T] {
	q := &Queue[T]{dirty: sets.Set[T]{}, processing: sets.Set[T]{}, line: config.Queue}
	if q.line == nil {
		q.line = &line[T]{}
	}
	q.came.L, q.idle.L = &q.lock, &q.lock
	if config.Clock == nil {
		config.Clock = clock.RealClock{}
	}
	if q.metrics = newMetrics[T](config.MetricsProvider, config.Name, config.Clock); q.metrics != nil {
		q.metrics.watch(&q.lock, config.Clock)
	}
	return q
}

// Add says that an item is to be processed. When the queue shuts down it does nothing.
func (q *Queue[T]) Add(item T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.shutDown {
		return
	}
	if q.dirty.Has(item) {
		if !q.processing.Has(item) {
			q.line.Touch(item)
		}
		return
	}
	q.metrics.add(item)
	q.dirty.Insert(item)
	if !q.processing.Has(item) {
		q.join(item)
	}
}

// join puts an item into the line, and wakes one worker. The caller holds the lock.
func (q *Queue[T]) join(item T) {
	q.line.Push(item)
	q.came.Signal()
}

// Get waits for an item, and hands it out. Whoever gets it calls Done with it, also if processing failed. If shutdown
// is true there is no item, and there will be none: what was added before the shutdown is still handed out first.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	for q.line.Len() == 0 {
		if q.shutDown {
			return item, true
		}
		q.came.Wait()
	}
	item = q.line.Pop()
	q.metrics.get(item)
	q.processing.Insert(item)
	q.dirty.Delete(item) // from here on an Add is news again
	return item, false
}

// Done says that a worker is done with an item. If it was added meanwhile, it joins the line again. Done of an item
// that no worker has does nothing.
func (q *Queue[T]) Done(item T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.metrics.done(item)
	before := len(q.processing)
	q.processing.Delete(item)
	switch {
	case len(q.processing) == before: // it was done before, and must not join a line that it may be in
	case q.dirty.Has(item):
		q.join(item)
	case q.drain && q.isIdle():
		q.idle.Broadcast()
	}
}

// isIdle says whether nothing waits and nothing is processed. The caller holds the lock.
func (q *Queue[T]) isIdle() bool { return q.line.Len() == 0 && q.processing.Len() == 0 }

// Len says how many items wait in the line. An item that is being processed is not among them, even if it is dirty.
func (q *Queue[T]) Len() int {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.line.Len()
}

// ShutDown has Add do nothing from now on, and wakes all who wait in Get. What is in the queue is still handed out. It
// calls off a ShutDownWithDrain that waits.
func (q *Queue[T]) ShutDown() {
	q.end(false)
}

// ShutDownWithDrain is ShutDown, and returns when all that was in the queue has been handed out and is done, or when
// ShutDown is called. So it returns never if nobody calls Get, or if somebody forgets Done.
func (q *Queue[T]) ShutDownWithDrain() {
	q.end(true)
	q.lock.Lock()
	defer q.lock.Unlock()
	for q.drain && !q.isIdle() {
		q.idle.Wait()
	}
}

// end begins the shutdown.
func (q *Queue[T]) end(drain bool) {
	q.lock.Lock()
	q.shutDown, q.drain = true, drain
	q.came.Broadcast()
	q.idle.Broadcast()
	q.lock.Unlock()
	q.metrics.stop()
}

// ShuttingDown says whether ShutDown or ShutDownWithDrain was called.
func (q *Queue[T]) ShuttingDown() bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.shutDown
}
