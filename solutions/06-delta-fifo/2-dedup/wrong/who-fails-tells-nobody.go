// Misconception: a Pop whose process failed has nothing left to do.
// Caught by: TestEachWaitingPopGetsAKey
// Message: the belief that who fails has nothing left to do.

//go:build wrong

package dedup

import "k8s.io/client-go/tools/cache"

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
		if len(q.keys) == 1 {
			q.news.Signal() // and who is woken wakes the next one
		}
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
	if err := process(deltas); err != nil {
		return err // wrong: the next one is not woken
	}
	if len(q.keys) > 0 {
		q.news.Signal()
	}
	return nil
}
