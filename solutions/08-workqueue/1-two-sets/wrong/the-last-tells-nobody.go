// Misconception: a call that waits for something sees when it is so.
// Caught by: TestShutDownWithDrain
// Message: the belief that a call that waits sees what changes.

//go:build wrong

package twosets

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
}
