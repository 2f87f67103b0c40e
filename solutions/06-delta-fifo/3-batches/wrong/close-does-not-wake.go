// Misconception: who waits notices by itself that the queue is closed.
// Caught by: TestWaitsForAFirstDeltaOnly
// Message: the belief that who waits notices by itself what has changed

//go:build wrong

package batches

// Close has PopBatch return ErrClosed once nothing is left.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}
