// Breaks: From now on many goroutines call all the methods at once.
// Caught by: TestCallsAtOnce
// Message: there was a data race between

//go:build wrong

package twosets

func (q *Queue[T]) Add(item T) {
	if q.closed { // wrong, though it becomes true once only
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
}
