// Misconception: [Added, Updated, Deleted] becomes [Deleted].
// Caught by: TestAllDeltasStay
// Message: the belief that a deletion is all that matters of what happened before.

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
	case delta.Type == cache.Deleted && deltas[last].Type == cache.Deleted:
		if _, ok := deltas[last].Object.(cache.DeletedFinalStateUnknown); ok {
			deltas[last] = delta
		}
	case delta.Type == cache.Deleted:
		q.waiting[k] = cache.Deltas{delta} // wrong: it swallows what happened before
	default:
		q.waiting[k] = append(deltas, delta)
	}
	return nil
}
