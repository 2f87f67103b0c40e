// Misconception: who is woken finds what it was woken for.
// Caught by: TestPopThatComesTooLate
// Message: the belief that who is woken finds what there was.

//go:build wrong

package dedup

import "k8s.io/client-go/tools/cache"

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.keys) == 0 && !q.closed {
		q.news.Wait() // wrong: another Pop may have taken what there was
	}
	if len(q.keys) == 0 {
		return cache.ErrFIFOClosed
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	return process(deltas)
}
