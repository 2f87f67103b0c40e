// Misconception: a call that changes nothing has nothing to wait for.
// Caught by: TestProcessAndQueueChangeTogether
// Message: Happened: Sync y v2 returned

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

	looking sync.Mutex // guards waits
	waits   map[string]bool
}

func New(key cache.KeyFunc) *Queue {
	q := &Queue{key: key, waiting: map[string]cache.Deltas{}, waits: map[string]bool{}}
	q.news = sync.NewCond(&q.mu)
	return q
}

func (q *Queue) Sync(object any) error {
	k, err := q.key(object)
	q.looking.Lock()
	waits := q.waits[k]
	q.looking.Unlock()
	if err != nil || waits { // wrong: before process has returned, the store is older than the queue
		return err
	}
	return q.put(cache.Delta{Type: cache.Sync, Object: object})
}

func (q *Queue) note(k string, waits bool) {
	q.looking.Lock()
	defer q.looking.Unlock()
	q.waits[k] = waits
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
		q.note(k, true)
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
	q.note(k, false)
	return process(deltas)
}
