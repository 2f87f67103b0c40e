// Misconception: a lock can be held while a Pop waits.
// Caught by: TestWaitingPopIsInNobodysWay
// Message: the belief that a lock may be held during a wait.

//go:build wrong

package dedup

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

type Queue struct {
	key cache.KeyFunc

	mu      sync.Mutex    // guards what follows
	news    chan struct{} // a key came, or the end
	keys    []string      // the keys of waiting, in order
	waiting map[string]cache.Deltas
	closed  bool
}

func New(key cache.KeyFunc) *Queue {
	return &Queue{key: key, waiting: map[string]cache.Deltas{}, news: make(chan struct{}, 1)}
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

func (q *Queue) tell() {
	if q.closed {
		return
	}
	select {
	case q.news <- struct{}{}:
	default:
	}
}

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		if q.closed {
			return cache.ErrFIFOClosed
		}
		<-q.news // wrong: nobody else gets the lock
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	return process(deltas)
}

func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	close(q.news)
}
