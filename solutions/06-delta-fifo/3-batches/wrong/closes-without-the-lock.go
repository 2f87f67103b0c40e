// Misconception: who changes one flag and wakes all needs no lock.
// Caught by: TestNoWakeUpIsLost
// Message: the belief that who does not wait yet need not be woken.

//go:build wrong

package batches

import (
	"runtime"
	"sync"
	"sync/atomic"
)

type Queue struct {
	most int // deltas of a batch

	mu      sync.Mutex // guards what follows
	changed *sync.Cond // deltas or closed
	deltas  []Delta    // in their order
	closed  atomic.Bool
	begun   bool // there was a first delta
	synced  bool
}

// Close has PopBatch return ErrClosed once nothing is left. It is called once.
func (q *Queue) Close() {
	q.closed.Store(true)
	q.changed.Broadcast() // wrong: who has looked, and does not wait yet, does not hear it
}

// take waits for a batch and takes it out of the queue.
func (q *Queue) take() ([]Delta, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) == 0 {
		if q.closed.Load() {
			return nil, ErrClosed
		}
		runtime.Gosched() // it takes a moment to begin to wait, here for certain
		q.changed.Wait()
	}
	n := q.run()
	batch := append([]Delta(nil), q.deltas[:n]...)
	q.deltas = q.deltas[n:]
	return batch, nil
}
