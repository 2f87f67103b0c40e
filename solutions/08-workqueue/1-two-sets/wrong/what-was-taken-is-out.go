// Breaks: From Get to Done a worker has the item, and nobody else gets it.
// Caught by: TestOneWorkerAnItem
// Message: the last step was: Get returned a

//go:build wrong

package twosets

import "sync"

type Queue[T comparable] struct {
	mu         sync.Mutex
	line       []T
	closed     bool
	changed    *sync.Cond
	dirty      map[T]bool
	processing map[T]int // wrong: how many workers have it
	forced     bool
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: map[T]bool{}, processing: map[T]int{}}
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
	q.line = append(q.line, item)
	q.changed.Signal()
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
	q.processing[item]++
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.processing[item]--; q.processing[item] == 0 {
		delete(q.processing, item)
	}
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
}
