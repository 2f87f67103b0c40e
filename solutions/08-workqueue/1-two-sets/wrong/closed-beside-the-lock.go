// Misconception: what is set once needs no lock.
// Caught by: TestCallsBesideADrain
// Message: there was a data race between

//go:build wrong

package twosets

func (q *Queue[T]) ShutDownWithDrain() {
	q.closed = true // wrong
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
	for !q.idle() && !q.forced {
		q.changed.Wait()
	}
}
