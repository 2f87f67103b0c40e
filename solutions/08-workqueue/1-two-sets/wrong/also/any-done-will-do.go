// Misconception: what was added meanwhile waits for a Done.
// Stage: 2

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
	again      []T
	forced     bool
}

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed || q.dirty[item]:
		return
	case q.processing[item]:
		q.again = append(q.again, item)
	default:
		q.line = append(q.line, item)
		q.changed.Signal()
	}
	q.dirty[item] = true
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	q.line = append(q.line, q.again...) // wrong: also what other workers have
	q.again = nil
	q.changed.Broadcast()
}
