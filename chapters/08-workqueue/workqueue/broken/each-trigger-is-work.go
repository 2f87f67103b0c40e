// Guideline: S2-01
// Misconception: Each trigger is work to be done, so ten triggers are ten items.
// Caught by: TestSuite/by default/guarantees/an item that is added often before a worker gets it is handed out once
// Message: len expected 1 happened 3
// Base: queue.go

//go:build wrong

package workqueue

func (q *Queue[T]) Add(item T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.shutDown {
		return
	}
	q.metrics.add(item)
	q.dirty.Insert(item)
	if !q.processing.Has(item) {
		q.join(item) // whether or not it is in the line
	}
}
