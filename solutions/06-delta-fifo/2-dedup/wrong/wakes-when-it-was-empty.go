// Misconception: who waits is to be woken when the queue is no longer empty.
// Caught by: TestEachWaitingPopGetsAKey
// Message: the belief that who waits has to be woken when the queue is no longer empty.

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
		if len(q.keys) == 1 {
			q.news.Signal() // wrong: the one that was woken may not have run yet
		}
	case delta.Type == cache.Sync:
	case delta.Type == cache.Deleted && deltas[last].Type == cache.Deleted:
		if _, ok := deltas[last].Object.(cache.DeletedFinalStateUnknown); ok {
			deltas[last] = delta
		}
	default:
		q.waiting[k] = append(deltas, delta)
	}
	return nil
}
