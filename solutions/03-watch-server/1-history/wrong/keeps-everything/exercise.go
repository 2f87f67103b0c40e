// Misconception: The server can remember every change.
// Caught by: TestForgottenIsExpired
// Message: history can be kept for ever

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

// Window keeps the latest changes of one resource.
type Window struct {
	capacity int      // how many changes it may keep
	changes  []Change // those it keeps, oldest first
	floor    uint64   // every change after this revision is in changes
}

// New makes an empty window for at most capacity changes. revision is the store's at this moment:
// what was written up to there happened before the window began.
func New(capacity int, revision uint64) *Window {
	return &Window{capacity: capacity, floor: revision}
}

// Add takes the newest change, and forgets the oldest one when there would be more than capacity.
// Revisions grow, but not by one each: other resources take theirs from the same counter.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
}

// Since returns all the changes after a revision, oldest first, for a client that has seen
// everything up to that revision. The slice is the caller's. When the window can't tell all of
// them, Since returns ErrExpired and none.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
