// Guideline: S2-01
// Misconception: An item that is added has to be in the line, also while a worker has it.
// Caught by: TestSuite/by default/guarantees/an item is never with two workers at once
// Message: get expected waits happened a
// Base: queue.go

//go:build wrong

package workqueue

func (q *Queue[T]) Add(item T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.shutDown {
		return
	}
	if q.dirty.Has(item) {
		q.line.Touch(item)
		return
	}
	q.metrics.add(item)
	q.dirty.Insert(item)
	q.join(item) // another worker may get it now
}
