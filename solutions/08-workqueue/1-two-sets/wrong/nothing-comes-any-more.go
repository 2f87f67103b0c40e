// Misconception: after the shutdown nothing comes into the line.
// Caught by: TestShutDown
// Message: the belief that after the shutdown nothing comes into the line.

//go:build wrong

package twosets

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] && !q.closed { // wrong
		q.line = append(q.line, item)
		q.changed.Signal()
	}
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
}
