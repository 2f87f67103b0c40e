// Misconception: a part of a slice is a slice of its own.
// Caught by: TestTheSliceIsForProcess
// Message: the belief that a part of a slice is a slice of its own

//go:build wrong

package batches

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
	batch := q.deltas[:n]
	q.deltas = q.deltas[n:]
	return batch, nil
}
