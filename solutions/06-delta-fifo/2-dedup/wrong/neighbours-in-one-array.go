// Breaks: The slice belongs to process, which may keep it, change it and append to it.
// Caught by: TestPoppedDeltasBelongToProcess
// Message: process changes and appends to a slice that it gets, and then gets the next one

//go:build wrong

package dedup

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

type Queue struct {
	key cache.KeyFunc

	mu     sync.Mutex // guards what follows
	news   *sync.Cond // a key came, or the end
	keys   []string   // of each of deltas
	deltas cache.Deltas
	closed bool
}

func New(key cache.KeyFunc) *Queue {
	q := &Queue{key: key}
	q.news = sync.NewCond(&q.mu)
	return q
}

func (q *Queue) put(delta cache.Delta) error {
	k, err := q.keyOf(delta.Object)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	last := len(q.keys) - 1
	for last >= 0 && q.keys[last] != k {
		last--
	}
	switch {
	case last < 0:
		q.news.Signal()
	case delta.Type == cache.Sync:
		return nil
	case delta.Type == cache.Deleted && q.deltas[last].Type == cache.Deleted:
		if _, ok := q.deltas[last].Object.(cache.DeletedFinalStateUnknown); ok {
			q.deltas[last] = delta
		}
		return nil
	}
	q.keys, q.deltas = append(q.keys, k), append(q.deltas, delta)
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
	return process(q.first())
}

func (q *Queue) first() cache.Deltas {
	var keys []string
	var first, others cache.Deltas
	for i, k := range q.keys {
		if k == q.keys[0] {
			first = append(first, q.deltas[i])
		} else {
			keys, others = append(keys, k), append(others, q.deltas[i])
		}
	}
	q.keys = keys
	both := append(first, others...) // wrong: behind the first ones there is room, and others are in it
	q.deltas = both[len(first):]
	return both[:len(first)]
}
