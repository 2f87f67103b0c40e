// Misconception: a buffered channel and a set are a queue.
// Caught by: TestRoomForAll
// Message: the belief that there is a size that is enough.

//go:build wrong

package twosets

import "sync"

type Queue[T comparable] struct {
	mu         sync.Mutex
	line       chan T // wrong: it has room for so many
	closed     bool
	changed    *sync.Cond
	over       chan struct{}
	dirty      map[T]bool
	processing map[T]bool
	forced     bool
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{line: make(chan T, 1000), over: make(chan struct{})}
	q.dirty, q.processing = map[T]bool{}, map[T]bool{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	ignored := q.closed || q.dirty[item]
	if !ignored {
		q.dirty[item] = true
	}
	ready := !ignored && !q.processing[item]
	q.mu.Unlock()
	if ready {
		q.line <- item
	}
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	select {
	case item = <-q.line:
	case <-q.over:
		select {
		case item = <-q.line:
		default:
			return item, true
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] {
		q.line <- item
	}
	q.changed.Broadcast()
}

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		close(q.over)
	}
	q.closed, q.forced = true, true
	q.changed.Broadcast()
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		close(q.over)
	}
	q.closed = true
	for !q.idle() && !q.forced {
		q.changed.Wait()
	}
}

func (q *Queue[T]) idle() bool { return len(q.dirty)+len(q.processing) == 0 }
