// Misconception: one item at a time is with a worker.
// Stage: 2

//go:build wrong

package twosets

import "sync"

type Queue[T comparable] struct {
	mu      sync.Mutex
	line    []T
	closed  bool
	changed *sync.Cond
	dirty   map[T]bool
	busy    bool
	current T // wrong: the one that was taken last
	forced  bool
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: map[T]bool{}}
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
	if !q.busy || q.current != item {
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
	delete(q.dirty, item)
	q.busy, q.current = true, item
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy = false
	if q.dirty[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
}

func (q *Queue[T]) idle() bool { return len(q.line) == 0 && !q.busy }
