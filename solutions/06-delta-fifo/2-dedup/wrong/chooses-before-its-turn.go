// Misconception: a Pop may choose its key before it is its turn to process.
// Caught by: TestProcessGetsAllThatIsThere
// Message: the belief that a Pop may choose its key before it is its turn.

//go:build wrong

package dedup

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

type Queue struct {
	key cache.KeyFunc

	turn sync.Mutex // held while process runs; before mu

	mu      sync.Mutex // guards what follows
	news    *sync.Cond // a key came, or the end
	keys    []string   // the keys of waiting, in order
	waiting map[string]cache.Deltas
	closed  bool
}

func (q *Queue) put(delta cache.Delta) error {
	k, err := q.keyOf(delta.Object)
	if err != nil {
		return err
	}
	q.turn.Lock()
	defer q.turn.Unlock()
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
	}
	return nil
}

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	deltas, err := q.take()
	if err != nil {
		return err
	}
	q.turn.Lock() // wrong: until then more may come for this key
	defer q.turn.Unlock()
	return process(deltas)
}

func (q *Queue) take() (cache.Deltas, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		if q.closed {
			return nil, cache.ErrFIFOClosed
		}
		q.news.Wait()
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	return deltas, nil
}
