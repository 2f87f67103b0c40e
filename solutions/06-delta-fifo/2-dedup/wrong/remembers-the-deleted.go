// Breaks: What has been popped does not count any more: after that a key is like one that never was there.
// Caught by: TestKeysInOrder
// Message: it was a: Deleted v1; b: Added v1

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
	deleted map[string]bool
}

func New(key cache.KeyFunc) *Queue {
	q := &Queue{key: key, waiting: map[string]cache.Deltas{}, deleted: map[string]bool{}}
	q.news = sync.NewCond(&q.mu)
	return q
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
	q.deleted[k] = deltas[len(deltas)-1].Type == cache.Deleted
	return process(deltas)
}

func (q *Queue) put(delta cache.Delta) error {
	k, err := q.keyOf(delta.Object)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	deltas := q.waiting[k]
	if q.deleted[k] && delta.Type == cache.Deleted {
		return nil // wrong: for the queue it is like any other
	}
	q.deleted[k] = false
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
	}
	return nil
}
