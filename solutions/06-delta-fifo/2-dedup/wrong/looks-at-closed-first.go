// Misconception: who is woken after Close was woken by it.
// Caught by: TestWaitingPopTakesWhatCameBeforeClose
// Message: the belief that a queue that is closed is empty.

//go:build wrong

package dedup

import "k8s.io/client-go/tools/cache"

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed && len(q.keys) == 0 {
		return cache.ErrFIFOClosed
	}
	for len(q.keys) == 0 {
		q.news.Wait()
		if q.closed {
			return cache.ErrFIFOClosed // wrong: a key may have come before Close did
		}
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	return process(deltas)
}
