// Misconception: a signal is heard by all who wait.
// Caught by: TestShutDown
// Message: the belief that all who wait are told when one is.

//go:build wrong

package twosets

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.forced = true, true
	q.changed.Signal() // wrong
}
