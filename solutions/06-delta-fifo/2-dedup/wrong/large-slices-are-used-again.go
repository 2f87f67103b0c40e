// Breaks: The slice belongs to process, which may keep it, change it and append to it.
// Caught by: TestPoppedDeltasBelongToProcess
// Message: Happened: number 0 of 40 is other: Updated v0

//go:build wrong

package dedup

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

type Queue struct {
	key cache.KeyFunc

	mu      sync.Mutex // guards what follows
	news    *sync.Cond // a key came, or the end
	keys    []string   // the keys of waiting, in order
	waiting map[string]cache.Deltas
	closed  bool
	spare   cache.Deltas // room for those of a key
}

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
		q.waiting[k] = append(q.spare, delta)
		q.spare = nil
		q.news.Signal()
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

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		if q.closed {
			return cache.ErrFIFOClosed
		}
		q.news.Wait()
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	err := process(deltas)
	if cap(deltas) >= 16 {
		q.spare = deltas[:0] // wrong: process may have kept it
	}
	return err
}
