package priorityqueue

import (
	"container/heap"
	"time"

	"k8s.io/utils/ptr"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// Add has an item be ready, with priority 0 or the higher one that it has.
func (q *Queue[T]) Add(item T) { q.AddWithOpts(upstream.AddOpts{}, item) }

// AddAfter has an item be ready when a delay is over, unless it is ready, or will be earlier.
func (q *Queue[T]) AddAfter(item T, delay time.Duration) {
	q.AddWithOpts(upstream.AddOpts{After: delay}, item)
}

// AddRateLimited counts a failure of an item, and has it be ready when the limiter says so.
func (q *Queue[T]) AddRateLimited(item T) { q.AddWithOpts(upstream.AddOpts{RateLimited: true}, item) }

// AddWithOpts adds items with a priority, which is 0 if none is given. If an item is rate limited and has a delay, the
// shorter one holds. When the queue shuts down it does nothing.
func (q *Queue[T]) AddWithOpts(o upstream.AddOpts, items ...T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.shutDown {
		return
	}
	for _, item := range items {
		delay := o.After
		if o.RateLimited {
			if limit := q.limiter.When(item); delay == 0 || limit < delay {
				delay = limit
			}
		}
		e, known := q.entries[item]
		if known {
			q.raise(e, ptr.Deref(o.Priority, 0))
		} else {
			e = &entry[T]{item: item, priority: ptr.Deref(o.Priority, 0), turn: q.turn(), waits: true, index: nowhere}
			q.entries[item] = e
		}
		if delay <= 0 {
			q.ready(e)
		} else if e.waits && q.waiting.Add(item, q.clock.Now().Add(delay)) {
			q.alarm.Look()
		}
	}
}

// turn is a number behind all that were given. The caller holds the lock.
func (q *Queue[T]) turn() uint64 {
	q.turns++
	return q.turns
}

// raise gives an entry a higher priority. It then is behind all that have that priority. The caller holds the lock.
func (q *Queue[T]) raise(e *entry[T], priority int) {
	if priority <= e.priority {
		return
	}
	e.priority, e.turn = priority, q.turn()
	if e.index != nowhere {
		heap.Fix(&q.line, e.index)
	}
}

// ready ends an entry's waiting. The caller holds the lock.
func (q *Queue[T]) ready(e *entry[T]) {
	if !e.waits {
		return
	}
	e.waits = false
	q.waiting.Remove(e.item)
	if q.processing.Has(e.item) {
		q.held++
		return
	}
	q.join(e)
}

// takeDue has all be ready whose time has come, and says how long it is until the next.
func (q *Queue[T]) takeDue() (wait time.Duration, some bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	now := q.clock.Now()
	for !q.shutDown {
		item, due := q.waiting.Due(now)
		if !due {
			next, some := q.waiting.Next()
			return next.Sub(now), some
		}
		e := q.entries[item]
		e.turn = q.turn() // behind those that were ready before it
		q.ready(e)
	}
	return 0, false
}
