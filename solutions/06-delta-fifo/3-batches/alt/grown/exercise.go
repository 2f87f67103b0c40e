// Package batches is a queue of events that keeps their order and gives many of them at once: client-go's
// RealFIFO, made small.
package batches

import (
	"errors"
	"sync"
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

// Queue holds deltas as the batches that they will be: an Add ends the last one or makes it longer.
type Queue struct {
	most int

	lock    sync.Mutex
	nonzero sync.Cond
	batches []*batch
	closed  bool
	first   Type // of all deltas
	list    bool // the first one was processed
}

// batch is a run of deltas that have different keys.
type batch struct {
	deltas []Delta
	keys   map[string]struct{}
}

// New makes an empty queue.
func New(most int) *Queue {
	q := &Queue{most: most}
	q.nonzero.L = &q.lock
	return q
}

// Add puts a delta at the end of the queue.
func (q *Queue) Add(d Delta) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.first == "" {
		q.first = d.Type
	}
	if len(q.batches) == 0 || !q.batches[len(q.batches)-1].fits(d, q.most) {
		q.batches = append(q.batches, &batch{keys: map[string]struct{}{}})
	}
	last := q.batches[len(q.batches)-1]
	last.deltas = append(last.deltas, d)
	last.keys[d.Key] = struct{}{}
	q.nonzero.Signal()
}

func (b *batch) fits(d Delta, most int) bool {
	_, twice := b.keys[d.Key]
	return len(b.deltas) < most && !twice && ofOne(d.Type) && ofOne(b.deltas[0].Type)
}

func ofOne(t Type) bool {
	switch t {
	case Added, Updated, Deleted:
		return true
	}
	return false
}

// PopBatch takes a batch from the front of the queue and processes it.
func (q *Queue) PopBatch(process func(batch []Delta) error) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	for len(q.batches) == 0 && !q.closed {
		q.nonzero.Wait()
	}
	if len(q.batches) == 0 {
		return ErrClosed
	}
	front := q.batches[0].deltas
	q.batches = q.batches[1:]
	wasList := front[0].Type == ReplacedAll
	defer func() { q.list = q.list || wasList }()
	q.lock.Unlock()
	defer q.lock.Lock()
	return process(front)
}

// HasSynced says whether who reads the queue has seen the first list.
func (q *Queue) HasSynced() bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.list || q.first != "" && q.first != ReplacedAll
}

// Close has PopBatch return ErrClosed once nothing is left.
func (q *Queue) Close() {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.closed = true
	q.nonzero.Signal()
}
