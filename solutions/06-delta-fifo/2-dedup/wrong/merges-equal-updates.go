// Misconception: two equal deltas in a row are one.
// Caught by: TestAllDeltasStay
// Message: the belief that deltas that are equal say nothing.

//go:build wrong

package dedup

import (
	"reflect"

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
	case reflect.DeepEqual(deltas[last], delta): // wrong: only deletions are merged
	default:
		q.waiting[k] = append(deltas, delta)
	}
	return nil
}
