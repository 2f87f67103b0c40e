// Package batches is a queue of events that keeps their order and gives many of them at once: client-go's
// RealFIFO, made small.
package batches

import (
	"errors"
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

// Queue holds deltas in the order in which they were added, until PopBatch takes them.
//
//   - Every delta comes out of the queue once and as it was added. None goes ahead of one that was added
//     before it, and none takes the place of another.
//   - Any number of goroutines may call Add and HasSynced at any time, also while process runs and by process
//     itself. So may one of them call Close, once. None of these calls waits for process to return.
//   - PopBatch is called by one goroutine, and not by process.
//   - Queues share nothing, and no goroutine is left behind by any of them, closed or not.
//
// The fields may be changed: who uses the package sees what is exported.
type Queue struct {
	most int // deltas of a batch

	// TODO: add the fields you need
}

// New makes an empty queue. A batch has at most that many deltas; most is from 1 to 1000.
func New(most int) *Queue {
	// TODO: make what your fields need
	return &Queue{most: most}
}

// Add puts a delta at the end of the queue.
//
//   - The first of all deltas is never a SyncAll or a Bookmark: a Reflector begins with a list.
func (q *Queue) Add(d Delta) {
	// TODO: put it in its place, and tell who waits for it
}

// PopBatch takes a batch from the front of the queue, calls process with it, once, and returns what process
// returned, after process has. While the queue is empty and not closed, it waits: it does not look again and
// again, and goes on at the moment when there is something or the queue is closed.
//
//   - A ReplacedAll, a SyncAll or a Bookmark is a batch of its own, and so is never in one with others.
//   - A batch of others begins with the delta at the front, and is as long as it can be: it ends before
//     a delta whose key is in it already, before a ReplacedAll, a SyncAll or a Bookmark, when it has as many
//     deltas as New was told, or when there is no further one in the queue: PopBatch waits for a first one only.
//   - A batch stays as it was taken: what is added while process runs is for a later one.
//   - The slice is for process to keep, to change and to append to. The queue does not notice.
//   - A batch has left the queue, also when process returns an error: the next call takes the next one.
//     process does not panic.
//   - What is in a closed queue is still taken, batch after batch, also if it was added after Close. Where
//     nothing is left, PopBatch returns ErrClosed, also one that waits since before Close, and does not
//     call process.
func (q *Queue) PopBatch(process func(batch []Delta) error) error {
	// TODO: wait, take a batch, and process it
	return ErrClosed
}

// HasSynced says whether who reads the queue has seen the first list.
//
//   - It is false until the first delta is added.
//   - If that is a ReplacedAll, it is true when process has returned for it, with an error or without, and
//     the PopBatch that called process has returned; while process runs it is false, and in between it may be
//     either.
//   - If the first delta is another one, it is true as soon as that is added.
//   - Once true, it stays true.
func (q *Queue) HasSynced() bool {
	// TODO: what was first, and where is it now?
	return false
}

// Close has PopBatch return ErrClosed once nothing is left. It is called once.
func (q *Queue) Close() {
	// TODO: tell who waits
}
