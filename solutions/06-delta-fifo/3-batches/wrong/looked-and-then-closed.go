// Misconception: what was looked at under the lock is still so when the lock is taken again.
// Caught by: TestManyCloseAtOnce
// Message: one of them panicked: close of closed channel

//go:build wrong

package batches

import "sync"

type Queue struct {
	most int

	mu      sync.Mutex
	changed *sync.Cond
	deltas  []Delta
	closed  bool
	done    chan struct{} // closed by Close, for whoever waits for that
	begun   bool
	synced  bool
}

func New(most int) *Queue {
	q := &Queue{most: most, done: make(chan struct{})}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// Close has PopBatch return ErrClosed once nothing is left.
func (q *Queue) Close() {
	if q.hasClosed() {
		return
	}
	q.mu.Lock() // wrong: another one may have come here as well
	defer q.mu.Unlock()
	q.closed = true
	close(q.done)
	q.changed.Broadcast()
}

func (q *Queue) hasClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}
