// Misconception: to look again now and then is harmless, and makes sure.
// Caught by: TestPopGoesOnAtThatMoment
// Message: the belief that to look often is to wait.

//go:build wrong

package dedup

import (
	"time"

	"k8s.io/client-go/tools/cache"
)

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		if q.closed {
			return cache.ErrFIFOClosed
		}
		again := time.AfterFunc(20*time.Millisecond, q.news.Broadcast) // wrong: it is never idle
		q.news.Wait()
		again.Stop()
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	return process(deltas)
}
