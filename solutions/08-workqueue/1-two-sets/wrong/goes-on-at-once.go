// Misconception: a worker that has an item goes on with it when it was added again.
// Caught by: TestAddedWhileAWorkerHasIt
// Message: the belief that an item that was added again goes on at once.

//go:build wrong

package twosets

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] {
		q.line = append([]T{item}, q.line...) // wrong
		q.changed.Signal()
	}
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
}
