// Misconception: a key that changes is queued anew.
// Caught by: TestKeysInOrder
// Message: the belief that a change gives a key a new place.

//go:build wrong

package dedup

import (
	"slices"

	"k8s.io/client-go/tools/cache"
)

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
		q.waiting[k] = append(deltas, delta)
		at := slices.Index(q.keys, k)
		q.keys = append(slices.Delete(q.keys, at, at+1), k) // wrong: it loses its place
	}
	return nil
}
