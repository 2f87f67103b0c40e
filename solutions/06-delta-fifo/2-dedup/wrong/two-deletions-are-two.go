// Misconception: two deletions are two events.
// Caught by: TestTwoDeletionsInARow
// Message: the belief that two deletions are two events.

//go:build wrong

package dedup

import "k8s.io/client-go/tools/cache"

func (q *Queue) put(delta cache.Delta) error {
	k, err := q.keyOf(delta.Object)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	deltas := q.waiting[k]
	switch last := len(deltas) - 1; {
	case last < 0:
		q.keys = append(q.keys, k)
		q.waiting[k] = cache.Deltas{delta}
		q.news.Signal()
	case delta.Type == cache.Sync:
	default:
		q.waiting[k] = append(deltas, delta) // wrong: also a second Deleted
	}
	return nil
}
