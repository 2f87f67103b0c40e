// Breaks: Added meanwhile, it comes into the line with its Done: once, and at the end.
// Stage: 2

//go:build wrong

package twosets

import "sync"

type Queue[T comparable] struct {
	mu         sync.Mutex
	line       []T
	closed     bool
	changed    *sync.Cond
	dirty      map[T]int // wrong: how often they were added
	processing map[T]bool
	forced     bool
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: map[T]int{}, processing: map[T]bool{}}
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
	case q.processing[item]:
		q.dirty[item]++
	case q.dirty[item] == 0:
		q.dirty[item] = 1
		q.line = append(q.line, item)
		q.changed.Signal()
	}
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.line) == 0 && !q.closed {
		q.changed.Wait()
	}
	if len(q.line) == 0 {
		return item, true
	}
	item, q.line = q.line[0], q.line[1:]
	q.dirty[item]--
	q.processing[item] = true
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] > 0 {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
}
