// Breaks: It comes after all others when its first delta comes, and stays there when more come.
// Caught by: TestEveryHistory
// Message: it was b: Added v2; a: Deleted v1

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
	if last := len(deltas) - 1; last >= 0 && delta.Type == cache.Deleted && deltas[last].Type == cache.Deleted {
		if _, ok := deltas[last].Object.(cache.DeletedFinalStateUnknown); !ok {
			delta = deltas[last]
		}
		deltas = deltas[:last]
		if last == 0 { // wrong: the key is in no moment without a delta
			at := slices.Index(q.keys, k)
			q.keys = slices.Delete(q.keys, at, at+1)
		}
	}
	switch {
	case len(deltas) == 0:
		q.keys = append(q.keys, k)
		q.waiting[k] = cache.Deltas{delta}
		q.news.Signal()
	case delta.Type == cache.Sync:
	default:
		q.waiting[k] = append(deltas, delta)
	}
	return nil
}
