// Misconception: a queue that is shut down has nothing any more.
// Caught by: TestShutDown
// Message: the belief that a queue is empty when it is shut down.

//go:build wrong

package twosets

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.line) == 0 && !q.closed {
		q.changed.Wait()
	}
	if q.closed { // wrong
		return item, true
	}
	item, q.line = q.line[0], q.line[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}
