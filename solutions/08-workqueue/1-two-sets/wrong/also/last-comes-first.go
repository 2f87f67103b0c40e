// Breaks: It comes to the end of the line, which has room for any number.
// Stage: 1

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
	last := len(q.line) - 1 // wrong
	item, q.line = q.line[last], q.line[:last]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}
