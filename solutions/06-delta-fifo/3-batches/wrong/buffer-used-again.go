// Misconception: a slice is free again when the function that it was given to has returned.
// Caught by: TestTheSliceIsForProcess
// Message: the belief that a slice is free again when the function that it was given to has returned

//go:build wrong

package batches

import "sync"

type Queue struct {
	most int

	mu      sync.Mutex
	changed *sync.Cond
	deltas  []Delta
	batch   []Delta // the last one
	closed  bool
	begun   bool
	synced  bool
}

// take waits for a batch and takes it out of the queue.
func (q *Queue) take() ([]Delta, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) == 0 {
		if q.closed {
			return nil, ErrClosed
		}
		q.changed.Wait()
	}
	n := q.run()
	q.batch = append(q.batch[:0], q.deltas[:n]...)
	q.deltas = q.deltas[n:]
	return q.batch, nil
}
