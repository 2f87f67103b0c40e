package priorityqueue

import (
	"container/heap"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	clientgo "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
)

// Queue hands out the item with the highest priority first, and items of one priority in the order in which they got
// it. It keeps the promises of [workqueue.Queue] to workers, and it has each item once: an item waits for its time, or
// is ready. Who adds an item again can make it come earlier, and raise its priority, and neither can be taken back.
//
// Upstream: priorityqueue.PriorityQueue, in controller-runtime's pkg/controller/priorityqueue/priorityqueue.go.
type Queue[T comparable] struct {
	limiter clientgo.TypedRateLimiter[T]
	clock   clock.WithTicker
	alarm   *workqueue.Alarm

	lock       sync.Mutex             // guards what is below it
	entries    map[T]*entry[T]        // what is to be processed, now or later
	waiting    *workqueue.Schedule[T] // those whose time has not come
	line       line[T]                // those that can be handed out
	processing sets.Set[T]
	held       int // ready, but a worker has it: Done puts it into the line
	turns      uint64
	shutDown   bool
	drain      bool

	came sync.Cond // there is an item to get, or nothing will come any more
	idle sync.Cond // nothing is ready and nothing is processed, or a drain is called off
}

var _ upstream.PriorityQueue[string] = &Queue[string]{}

// Options are what a queue can do without.
type Options[T comparable] struct {
	// RateLimiter is asked for items that are added rate limited. By default each waits 5 ms after its first failure,
	// and twice as long after each further one, up to 1000 s.
	RateLimiter clientgo.TypedRateLimiter[T]
	// Clock is the time. By default it is the real one.
	Clock clock.WithTicker
}

// New returns a queue with priorities. It has one goroutine until it shuts down.
//
// Upstream: priorityqueue.New, which also takes a name and a provider of metrics.
func New[T comparable](o Options[T]) *Queue[T] {
	if o.RateLimiter == nil {
		o.RateLimiter = workqueue.NewExponential[T](5*time.Millisecond, 1000*time.Second)
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	q := &Queue[T]{limiter: o.RateLimiter, clock: o.Clock, entries: map[T]*entry[T]{},
		waiting: workqueue.NewSchedule[T](), processing: sets.Set[T]{}}
	q.came.L, q.idle.L = &q.lock, &q.lock
	q.alarm = workqueue.NewAlarm(q.clock, q.takeDue)
	return q
}

// Get waits for the first item, and hands it out. Whoever gets it calls Done with it. If shutdown is true there is no
// item, and there will be none: what was ready before the shutdown is still handed out first. (Upstream drops it.)
func (q *Queue[T]) Get() (item T, shutdown bool) {
	item, _, shutdown = q.GetWithPriority()
	return item, shutdown
}

// GetWithPriority is Get, and says with which priority the item was in the queue: whoever adds it again, because it
// failed, gives that priority along.
func (q *Queue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	for len(q.line) == 0 {
		if q.shutDown {
			return item, 0, true
		}
		q.came.Wait()
	}
	e := heap.Pop(&q.line).(*entry[T])
	delete(q.entries, e.item) // from here on an Add is news again
	q.processing.Insert(e.item)
	return e.item, e.priority, false
}

// Done says that a worker is done with an item. If it was added meanwhile, it is ready again, in the place that it has
// had since then. Done of an item that no worker has does nothing.
func (q *Queue[T]) Done(item T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if !q.processing.Has(item) {
		return
	}
	q.processing.Delete(item)
	if e, again := q.entries[item]; again && !e.waits {
		q.held--
		q.join(e)
	}
	if q.drain && q.isIdle() {
		q.idle.Broadcast()
	}
}

// join puts an entry into the line, and wakes one worker. The caller holds the lock.
func (q *Queue[T]) join(e *entry[T]) {
	heap.Push(&q.line, e)
	q.came.Signal()
}

// isIdle says whether nothing is ready and nothing is processed. The caller holds the lock.
func (q *Queue[T]) isIdle() bool { return len(q.line) == 0 && len(q.processing) == 0 }

// Len says how many items are ready. An item that is being processed is among them if it was added again.
func (q *Queue[T]) Len() int {
	q.lock.Lock()
	defer q.lock.Unlock()
	return len(q.line) + q.held
}

// Forget has the limiter begin anew for an item.
func (q *Queue[T]) Forget(item T) { q.limiter.Forget(item) }

// NumRequeues says how often the item failed since it was last forgotten.
func (q *Queue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }
