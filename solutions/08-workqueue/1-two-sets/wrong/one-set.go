// Misconception: an item is in the queue until its Done, so one set is enough.
// Caught by: TestAddedWhileAWorkerHasIt
// Message: the belief that an item that a worker has need not be added.

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
	q.processing[item] = true
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.dirty, item) // wrong: also what was added since
	delete(q.processing, item)
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
}
