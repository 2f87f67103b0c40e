// Package batches is a queue of events that keeps their order and gives many of them at once: client-go's
// RealFIFO, made small.
package batches

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// ErrClosed is what PopBatch returns when the queue is closed and nothing is left in it.
var ErrClosed = errors.New("the queue is closed")

// Type is what a Delta tells: one of those below.
type Type string

// Added, Updated and Deleted are about the object with the Delta's Key. The others are about all objects:
// ReplacedAll brings a new list of them, SyncAll has them looked at again, and Bookmark brings a resourceVersion.
const (
	Added       Type = "Added"
	Updated     Type = "Updated"
	Deleted     Type = "Deleted"
	ReplacedAll Type = "ReplacedAll"
	SyncAll     Type = "SyncAll"
	Bookmark    Type = "Bookmark"
)

// Delta is one event.
type Delta struct {
	Type Type
	// Key is that of the object, and any text, also an empty one. It says nothing where Type is ReplacedAll,
	// SyncAll or Bookmark.
	Key string
	// Object is what the event brings. The queue does not look into it: a list without objects is a list.
	Object any
}

// Queue holds deltas until PopBatch takes them. A channel wakes it.
type Queue struct {
	most int

	wake   chan struct{} // holds one when something has changed
	synced atomic.Bool
	closed atomic.Bool

	mu     sync.Mutex
	count  int // deltas so far
	deltas []Delta
}

// New makes an empty queue.
func New(most int) *Queue { return &Queue{most: most, wake: make(chan struct{}, 1)} }

// Add puts a delta at the end of the queue.
func (q *Queue) Add(d Delta) {
	q.mu.Lock()
	if q.count++; q.count == 1 && d.Type != ReplacedAll {
		q.synced.Store(true)
	}
	q.deltas = append(q.deltas, d)
	q.mu.Unlock()
	q.changed()
}

// Close has PopBatch return ErrClosed once nothing is left.
func (q *Queue) Close() {
	q.closed.Store(true)
	q.changed()
}

func (q *Queue) changed() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// HasSynced says whether who reads the queue has seen the first list.
func (q *Queue) HasSynced() bool { return q.synced.Load() }

// PopBatch takes a batch from the front of the queue and processes it.
func (q *Queue) PopBatch(process func(batch []Delta) error) error {
	for {
		closed := q.closed.Load() // before the look into the queue
		if batch := q.take(); len(batch) > 0 {
			list := batch[0].Type == ReplacedAll
			err := process(batch)
			if list {
				q.synced.Store(true)
			}
			return err
		}
		if closed {
			return ErrClosed
		}
		<-q.wake
	}
}

// take returns the batch at the front, which is empty if nothing is there.
func (q *Queue) take() []Delta {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(1, len(q.deltas))
	for n > 0 && n < min(len(q.deltas), q.most) && q.fits(n) {
		n++
	}
	batch := q.deltas[:n:n]
	q.deltas = slices.Clone(q.deltas[n:])
	return batch
}

// fits says whether the delta behind the first n makes a batch with them.
func (q *Queue) fits(n int) bool {
	next := q.deltas[n]
	about := func(d Delta) bool { return d.Type == Added || d.Type == Updated || d.Type == Deleted }
	same := func(d Delta) bool { return d.Key == next.Key }
	return about(next) && about(q.deltas[0]) && !slices.ContainsFunc(q.deltas[:n], same)
}
