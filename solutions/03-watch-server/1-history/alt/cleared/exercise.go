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

// Window slices its front off, and lets go of what is before the slice.
type Window struct {
	capacity int
	changes  []Change
	floor    uint64
}

// New makes an empty window.
func New(capacity int, revision uint64) *Window {
	return &Window{capacity: capacity, floor: revision}
}

// Add takes the newest change. The place of the oldest is cleared: append copies none but those that are kept.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		clear(w.changes[:1])
		w.changes = w.changes[1:]
	}
}

// Since goes back from the newest change.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	var newer []Change
	for _, c := range slices.Backward(w.changes) {
		if c.Revision <= revision {
			break
		}
		newer = append(newer, c)
	}
	slices.Reverse(newer)
	return newer, nil
}
