// Package dedup is another right solution of exercise 06.2: who waits, waits for a channel to be closed, which each
// change does and then makes the next one. The keys and their deltas are one slice.
package dedup

import (
	"slices"
	"sync"

	"k8s.io/client-go/tools/cache"
)

type waiting struct {
	key    string
	deltas cache.Deltas
}

// Queue is the one of the assignment.
type Queue struct {
	key cache.KeyFunc

	mu      sync.Mutex
	waiting []*waiting
	closed  bool
	changed chan struct{}
}

// New returns an empty queue.
func New(key cache.KeyFunc) *Queue { return &Queue{key: key, changed: make(chan struct{})} }

// Add appends an Added.
func (q *Queue) Add(object any) error {
	k, err := q.key(object)
	if err != nil {
		return err
	}
	defer q.change()()
	w := q.of(k)
	w.deltas = append(w.deltas, cache.Delta{Type: cache.Added, Object: object})
	return nil
}

// Update appends an Updated.
func (q *Queue) Update(object any) error {
	k, err := q.key(object)
	if err != nil {
		return err
	}
	defer q.change()()
	w := q.of(k)
	w.deltas = append(w.deltas, cache.Delta{Type: cache.Updated, Object: object})
	return nil
}

// Delete appends a Deleted, after taking away a tombstone that says the same.
func (q *Queue) Delete(object any) error {
	tombstone, ok := object.(cache.DeletedFinalStateUnknown)
	k, err := tombstone.Key, error(nil)
	if !ok {
		if k, err = q.key(object); err != nil {
			return err
		}
	}
	defer q.change()()
	w := q.of(k)
	if newest := w.deltas.Newest(); newest != nil && newest.Type == cache.Deleted {
		if _, ok := newest.Object.(cache.DeletedFinalStateUnknown); !ok {
			return nil
		}
		w.deltas = w.deltas[:len(w.deltas)-1]
	}
	w.deltas = append(w.deltas, cache.Delta{Type: cache.Deleted, Object: object})
	return nil
}

// Sync appends a Sync where nothing waits.
func (q *Queue) Sync(object any) error {
	k, err := q.key(object)
	if err != nil {
		return err
	}
	defer q.change()()
	if w := q.of(k); len(w.deltas) == 0 {
		w.deltas = cache.Deltas{{Type: cache.Sync, Object: object}}
	}
	return nil
}

// Pop holds the lock whenever it does not wait.
func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	for len(q.waiting) == 0 {
		changed, closed := q.changed, q.closed
		q.mu.Unlock()
		if closed {
			return cache.ErrFIFOClosed
		}
		<-changed
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	first := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	return process(first.deltas)
}

// Close is a change, too.
func (q *Queue) Close() {
	defer q.change()()
	q.closed = true
}

// change begins one and returns what ends it.
func (q *Queue) change() (end func()) {
	q.mu.Lock()
	return func() {
		close(q.changed)
		q.changed = make(chan struct{})
		q.mu.Unlock()
	}
}

// of finds what waits of a key, or makes a place for it.
func (q *Queue) of(key string) *waiting {
	at := slices.IndexFunc(q.waiting, func(w *waiting) bool { return w.key == key })
	if at < 0 {
		at = len(q.waiting)
		q.waiting = append(q.waiting, &waiting{key: key})
	}
	return q.waiting[at]
}
