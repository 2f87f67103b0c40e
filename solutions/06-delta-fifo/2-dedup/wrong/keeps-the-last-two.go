// Misconception: only the last two deltas of a key are kept.
// Caught by: TestAllDeltasStay
// Message: the belief that only the last two deltas of a key are kept.

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
	default:
		q.waiting[k] = append(deltas, delta)[max(0, len(deltas)-1):] // wrong: all of them stay
	}
	return nil
}
