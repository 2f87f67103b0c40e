// Breaks: What is being processed does not count, also when it was added again.
// Caught by: TestEveryHistory
// Message: Get: a; Add a; Len: 0

//go:build wrong

package twosets

func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.dirty)
}
