// Breaks: A ShutDown meanwhile ends its waiting.
// Caught by: TestShutDownWithDrain
// Message: the last step was: ShutDown, and ShutDownWithDrain had not returned

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
