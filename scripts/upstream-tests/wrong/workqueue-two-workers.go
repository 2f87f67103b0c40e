// Wrong: An item that is added while a worker has it goes to another worker.
// Base: chapters/08-workqueue/workqueue/queue.go
// Mechanism: workqueue
// Upstream: TestReinsert
// Book: chapters/08-workqueue/workqueue TestSuite

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
	q.join(item)
}
