// Misconception: when no worker has anything, all is processed.
// Caught by: TestShutDownWithDrain
// Message: the belief that all is processed when nobody processes anything.

//go:build wrong

package twosets

func (q *Queue[T]) idle() bool { return len(q.processing) == 0 } // wrong
