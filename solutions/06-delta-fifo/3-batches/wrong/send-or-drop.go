// Misconception: a wake-up that nobody takes was not needed.
// Caught by: TestNoWakeUpIsLost
// Message: the belief that who does not wait yet need not be woken.

//go:build wrong

package batches

import "sync"

type Queue struct {
	most int

	mu     sync.Mutex
	wake   chan struct{} // wrong: it holds nothing for who is about to receive
	deltas []Delta
	closed bool
	begun  bool
	synced bool
}

func New(most int) *Queue { return &Queue{most: most, wake: make(chan struct{})} }

func (q *Queue) Add(d Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.begun {
		q.begun, q.synced = true, d.Type != ReplacedAll
	}
	q.deltas = append(q.deltas, d)
	q.tell()
}

func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.tell()
}

func (q *Queue) tell() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *Queue) take() ([]Delta, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) == 0 {
		if q.closed {
			return nil, ErrClosed
		}
		q.mu.Unlock()
		<-q.wake
		q.mu.Lock()
	}
	n := q.run()
	batch := append([]Delta(nil), q.deltas[:n]...)
	q.deltas = q.deltas[n:]
	return batch, nil
}
