// Breaks: Another ShutDownWithDrain does not end the waiting.
// Caught by: TestShutDownWithDrain
// Message: Add a; Get: a; ShutDownWithDrain: waits; ShutDownWithDrain: waits

//go:build wrong

package twosets

import "sync"

type Queue[T comparable] struct {
	mu         sync.Mutex
	changed    *sync.Cond
	line       []T
	dirty      map[T]bool
	processing map[T]bool
	closed     bool
	ends       int // how often it was shut down
}

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ends++
	q.changed.Broadcast()
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.ShutDown() // wrong: it does what ShutDown does, and more than that
	q.mu.Lock()
	defer q.mu.Unlock()
	for mine := q.ends; !q.idle() && q.ends == mine; {
		q.changed.Wait()
	}
}
