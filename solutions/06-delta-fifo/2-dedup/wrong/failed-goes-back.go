// Misconception: the queue tries again what process failed for.
// Caught by: TestProcessThatFails
// Message: the belief that the queue tries again.

//go:build wrong

package dedup

import "k8s.io/client-go/tools/cache"

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		if q.closed {
			return cache.ErrFIFOClosed
		}
		q.news.Wait()
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	err := process(deltas)
	if err != nil { // wrong: nobody asked for that
		q.keys = append(q.keys, k)
		q.waiting[k] = deltas
	}
	return err
}
