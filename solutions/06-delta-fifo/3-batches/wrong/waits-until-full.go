// Misconception: a batch that is not full is worth waiting for.
// Caught by: TestWaitsForAFirstDeltaOnly
// Message: the belief that a batch is worth waiting for.

//go:build wrong

package batches

// take waits for a batch and takes it out of the queue.
func (q *Queue) take() ([]Delta, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) < q.most && !q.closed {
		q.changed.Wait()
	}
	if len(q.deltas) == 0 {
		return nil, ErrClosed
	}
	n := q.run()
	batch := append([]Delta(nil), q.deltas[:n]...)
	q.deltas = q.deltas[n:]
	return batch, nil
}
