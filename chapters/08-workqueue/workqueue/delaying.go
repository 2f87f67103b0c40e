package workqueue

import (
	"sync"
	"time"

	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

// DelayingQueue is a queue to which items can be added later.
//
// Upstream: delayingType, in util/workqueue/delaying_queue.go.
type DelayingQueue[T comparable] struct {
	upstream.TypedInterface[T]
	clock   clock.WithTicker
	retries upstream.CounterMetric // nil: none
	alarm   *Alarm

	lock    sync.Mutex // guards waiting
	waiting *Schedule[T]
}

var _ upstream.TypedDelayingInterface[string] = &DelayingQueue[string]{}

// NewDelaying returns a queue that adds later. All fields of the config may be left out; Queue, to which it adds, is
// [New]'s by default. It has one goroutine until the queue shuts down.
//
// Upstream: workqueue.NewTypedDelayingQueueWithConfig, which also takes a logger.
func NewDelaying[T comparable](config upstream.TypedDelayingQueueConfig[T]) *DelayingQueue[T] {
	if config.Clock == nil {
		config.Clock = clock.RealClock{}
	}
	if config.Queue == nil {
		config.Queue = New(upstream.TypedQueueConfig[T]{Name: config.Name, MetricsProvider: config.MetricsProvider,
			Clock: config.Clock})
	}
	q := &DelayingQueue[T]{TypedInterface: config.Queue, clock: config.Clock, waiting: NewSchedule[T]()}
	if config.Name != "" && config.MetricsProvider != nil {
		q.retries = config.MetricsProvider.NewRetriesMetric(config.Name)
	}
	q.alarm = NewAlarm(q.clock, q.addDue)
	return q
}

// AddAfter adds an item when a delay is over, and at once if there is none. If it waits already, the earlier of the two
// times holds. A plain Add meanwhile changes nothing about that: the item is then added twice, and handed out twice if
// a worker has got it in between. When the queue shuts down AddAfter does nothing, and what waits is dropped.
func (q *DelayingQueue[T]) AddAfter(item T, delay time.Duration) {
	if q.ShuttingDown() {
		return
	}
	if q.retries != nil {
		q.retries.Inc()
	}
	if delay <= 0 {
		q.Add(item)
		return
	}
	q.lock.Lock()
	earlier := q.waiting.Add(item, q.clock.Now().Add(delay))
	q.lock.Unlock()
	if earlier {
		q.alarm.Look()
	}
}

// addDue adds all whose time has come, and says how long it is until the next.
func (q *DelayingQueue[T]) addDue() (wait time.Duration, some bool) {
	for {
		q.lock.Lock()
		now := q.clock.Now()
		item, due := q.waiting.Due(now)
		next, some := q.waiting.Next()
		q.lock.Unlock()
		if !due {
			return next.Sub(now), some
		}
		q.Add(item) // without the lock: the queue beneath may be anybody's
	}
}

// ShutDown is that of the queue beneath. What waits for its time is dropped. It returns when no goroutine is left.
func (q *DelayingQueue[T]) ShutDown() {
	q.TypedInterface.ShutDown()
	q.alarm.Stop()
}

// ShutDownWithDrain is that of the queue beneath. What waits for its time is dropped: it was not in the queue.
func (q *DelayingQueue[T]) ShutDownWithDrain() {
	q.alarm.Stop()
	q.TypedInterface.ShutDownWithDrain()
}
