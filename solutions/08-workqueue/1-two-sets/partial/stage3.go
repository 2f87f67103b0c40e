// All but the drain.

//go:build partial

package twosets

import "sync"

type Queue[T comparable] struct {
	mu         sync.Mutex
	line       []T
	closed     bool
	changed    *sync.Cond
	dirty      map[T]bool
	processing map[T]bool
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: map[T]bool{}, processing: map[T]bool{}}
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.line) == 0 {
		if q.closed {
			return item, true
		}
		q.changed.Wait()
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
}

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
