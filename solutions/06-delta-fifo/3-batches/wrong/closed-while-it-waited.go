// Breaks: What is in a closed queue is still taken, batch after batch, also if it was added after Close.
// Caught by: TestClosedWhileItWaited
// Message: it was none, and then ErrClosed

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
		if q.closed {
			return nil, ErrClosed
		}
	}
	n := q.run()
	batch := append([]Delta(nil), q.deltas[:n]...)
	q.deltas = q.deltas[n:]
	return batch, nil
}
