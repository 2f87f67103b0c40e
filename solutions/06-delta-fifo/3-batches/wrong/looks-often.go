// Misconception: who looks from time to time waits.
// Caught by: TestWaitsForAFirstDeltaOnly
// Message: the belief that to look from time to time is to wait.

//go:build wrong

package batches

import "time"

// take looks for a batch until there is one, and takes it out of the queue.
func (q *Queue) take() ([]Delta, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) == 0 {
		if q.closed {
			return nil, ErrClosed
		}
		q.mu.Unlock()
		time.Sleep(time.Millisecond)
		q.mu.Lock()
	}
	n := q.run()
	batch := append([]Delta(nil), q.deltas[:n]...)
	q.deltas = q.deltas[n:]
	return batch, nil
}
