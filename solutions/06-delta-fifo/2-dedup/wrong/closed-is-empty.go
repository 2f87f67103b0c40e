// Misconception: a queue that is closed is empty.
// Caught by: TestClosedQueueCanBePopped
// Message: the belief that a queue that is closed is empty.

//go:build wrong

package dedup

import "k8s.io/client-go/tools/cache"

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 && !q.closed {
		q.news.Wait()
	}
	if q.closed {
		return cache.ErrFIFOClosed // wrong: something may be left
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	return process(deltas)
}
