// Misconception: what is written alike is equal.
// Caught by: TestInLineOnce
// Message: the belief that what is written alike is equal.

//go:build wrong

package twosets

import (
	"fmt"
	"sync"
)

type Queue[T comparable] struct {
	mu         sync.Mutex
	changed    *sync.Cond
	line       []T
	dirty      map[string]bool // wrong
	processing map[string]bool
	closed     bool
	forced     bool
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: map[string]bool{}, processing: map[string]bool{}}
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	key := fmt.Sprint(item)
	if q.closed || q.dirty[key] {
		return
	}
	q.dirty[key] = true
	if !q.processing[key] {
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
	key := fmt.Sprint(item)
	delete(q.dirty, key)
	q.processing[key] = true
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	key := fmt.Sprint(item)
	delete(q.processing, key)
	if q.dirty[key] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
}
