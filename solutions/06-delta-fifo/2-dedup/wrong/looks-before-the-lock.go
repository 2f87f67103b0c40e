// Misconception: what was seen without the lock is still so under it.
// Caught by: TestTwoClosesAtOnce
// Message: the belief that what was seen without the lock is still so under it.

//go:build wrong

package dedup

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

type Queue struct {
	key cache.KeyFunc

	mu      sync.Mutex // guards what follows
	keys    []string   // the keys of waiting, in order
	waiting map[string]cache.Deltas
	news    chan struct{} // has one when a key may wait
	closed  chan struct{}
}

func New(key cache.KeyFunc) *Queue {
	return &Queue{
		key: key, waiting: map[string]cache.Deltas{},
		news: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

func (q *Queue) tell() {
	select {
	case q.news <- struct{}{}:
	default:
	}
}

func (q *Queue) isClosed() bool {
	select {
	case <-q.closed:
		return true
	default:
		return false
	}
}

func (q *Queue) Close() {
	if q.isClosed() {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.closed) // wrong: it may be closed by now
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
		q.waiting[k] = cache.Deltas{delta}
		q.tell()
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
		if q.isClosed() {
			return cache.ErrFIFOClosed
		}
		q.mu.Unlock()
		select {
		case <-q.news:
		case <-q.closed:
		}
		q.mu.Lock()
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	if len(q.keys) > 0 {
		q.tell()
	}
	return process(deltas)
}
