// Breaks: Any number of goroutines may call any of the methods at once.
// Caught by: TestCallsAtOnce
// Message: there was a data race between

//go:build wrong

package twosets

func (q *Queue[T]) ShuttingDown() bool {
	return q.closed // wrong, though it becomes true once only
}
