// Misconception: what was popped is no business of the queue any more.
// Caught by: TestProcessAndQueueChangeTogether
// Message: the belief that what was popped is out of the way.

//go:build wrong

package dedup

import "k8s.io/client-go/tools/cache"

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	for len(q.keys) == 0 {
		if q.closed {
			q.mu.Unlock()
			return cache.ErrFIFOClosed
		}
		q.news.Wait()
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	q.mu.Unlock()
	return process(deltas) // wrong: others see the queue without it
}
