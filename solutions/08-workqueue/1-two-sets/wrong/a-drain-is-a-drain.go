// Breaks: A ShutDown ends the waiting: then it returns, whatever is left.
// Caught by: TestShutDownWithDrain
// Message: ShutDownWithDrain: waits; ShutDown, and ShutDownWithDrain returns

//go:build wrong

package twosets

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
	for !q.idle() {
		q.changed.Wait()
	}
}
