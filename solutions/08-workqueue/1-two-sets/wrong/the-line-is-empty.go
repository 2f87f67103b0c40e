// Misconception: when the line is empty, all is processed.
// Caught by: TestShutDownWithDrain
// Message: the belief that all is processed when nothing is left in the line.

//go:build wrong

package twosets

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.line) == 0 && !q.closed {
		q.changed.Wait()
	}
	if len(q.line) == 0 {
		return item, true
	}
	item, q.line = q.line[0], q.line[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
	return item, false
}

func (q *Queue[T]) idle() bool { return len(q.line) == 0 } // wrong
