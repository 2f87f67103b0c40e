// Misconception: a queue that is closed has nothing for anybody.
// Caught by: TestAClosedQueueGivesWhatIsLeft
// Message: the belief that a queue which is closed is empty

//go:build wrong

package batches

// take waits for a batch and takes it out of the queue.
func (q *Queue) take() ([]Delta, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) == 0 && !q.closed {
		q.changed.Wait()
	}
	if q.closed {
		return nil, ErrClosed
	}
	n := q.run()
	batch := append([]Delta(nil), q.deltas[:n]...)
	q.deltas = q.deltas[n:]
	return batch, nil
}
