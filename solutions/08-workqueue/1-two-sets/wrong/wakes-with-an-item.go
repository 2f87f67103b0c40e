// Misconception: a Get that is woken finds what it was woken for.
// Caught by: TestTwoGetsForOneItem
// Message: the belief that a Get that is woken finds what it was woken for.

//go:build wrong

package twosets

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.line) == 0 && !q.closed { // wrong: asked once
		q.changed.Wait()
	}
	if len(q.line) == 0 {
		return item, true
	}
	item, q.line = q.line[0], q.line[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}
