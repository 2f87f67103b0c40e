// Misconception: a queue is drained, and then shut down.
// Caught by: TestShutDownWithDrain
// Message: the belief that a queue is drained first and shut down then.

//go:build wrong

package twosets

import "sync"

type Queue[T comparable] struct {
	mu         sync.Mutex
	line       []T
	closed     bool
	changed    *sync.Cond
	dirty      map[T]bool
	processing map[T]bool
	draining   bool
	forced     bool
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.line) == 0 && !q.closed && !q.draining {
		q.changed.Wait()
	}
	if len(q.line) == 0 {
		return item, true
	}
	item, q.line = q.line[0], q.line[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
	if q.draining && q.idle() {
		q.changed.Broadcast()
	}
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.draining = true
	q.changed.Broadcast()
	for !q.idle() && !q.forced {
		q.changed.Wait()
	}
	q.closed = true // wrong: until here things were added
}
