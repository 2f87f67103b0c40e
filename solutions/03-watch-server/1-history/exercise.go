// Package history is the window of changes from which a server resumes a watch.
package history

import (
	"errors"
	"slices"
)

// ErrExpired is what a client gets as "410 Gone": the window no longer reaches back to its revision.
var ErrExpired = errors.New("too old resource version")

// Change is one write to one object.
type Change struct {
	Revision uint64
	Name     string
}

// Window keeps the latest changes of one resource. It is used by one goroutine at a time: whoever
// shares it has a lock around it.
type Window struct {
	capacity int      // how many changes it may keep
	changes  []Change // those it keeps, oldest first
	//solution:begin
	//todo: add what else it has to know
	floor uint64 // every change after this revision is in changes
	//solution:end
}

// New makes an empty window for at most capacity changes, which may be 0. revision is the store's at
// this moment: what was written up to there happened before the window began.
//
// Windows share nothing with each other.
func New(capacity int, revision uint64) *Window {
	//solution:begin
	//stub: return &Window{capacity: capacity}
	return &Window{capacity: capacity, floor: revision}
	//solution:end
}

// Add takes the newest change. Revisions grow, but not by one each: other resources take theirs from
// the same counter.
//
//   - Add keeps each change, also when there are others of the same object.
//   - When there would be more than capacity, Add forgets the oldest one, and only that one.
//   - What is forgotten takes no more memory, from that Add on.
func (w *Window) Add(c Change) {
	//solution:begin
	//todo: keep c, and at most capacity changes
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
	//solution:end
}

// Since tells a client that has seen everything up to a revision, whichever that is, what came after.
//
//   - Since returns all the changes after the revision as they were added, oldest first.
//   - When nothing came after it, Since returns no changes and no error, also when the revision is
//     higher than that of the newest change.
//   - When the window can't tell all of them, since one was forgotten or may have been made before
//     the window began, Since returns ErrExpired and no changes.
//   - The slice is the caller's: what is written into it or added to it changes no other answer, and
//     no later Add changes it.
//   - Asking changes nothing: the same question has the same answer until the next Add.
func (w *Window) Since(revision uint64) ([]Change, error) {
	//solution:begin
	//todo: all changes after revision, or ErrExpired
	//stub: return nil, nil
	if revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
	//solution:end
}
