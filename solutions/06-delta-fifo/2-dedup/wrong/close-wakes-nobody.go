// Misconception: a Pop that waits notices that the queue is closed.
// Caught by: TestCloseWakesAll
// Message: the belief that who waits notices the end.

//go:build wrong

package dedup

func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}
