// Wrong: Done of an item that no worker has puts it into the line once more.
// Base: chapters/08-workqueue/workqueue/queue.go
// Mechanism: workqueue
// Upstream: none
// Book: chapters/08-workqueue/workqueue TestSuite

//go:build wrong

package workqueue

func (q *Queue[T]) Done(item T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.metrics.done(item)
	q.processing.Delete(item)
	switch {
	case q.dirty.Has(item):
		q.join(item)
	case q.drain && q.isIdle():
		q.idle.Broadcast()
	}
}
