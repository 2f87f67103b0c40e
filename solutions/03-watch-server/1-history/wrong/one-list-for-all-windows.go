// Breaks: "Windows share nothing with each other."
// Caught by: TestWindowsShareNothing
// Message: and another window took

//go:build wrong

package history

import "slices"

var changes []Change // wrong: one list for all windows

// Add takes the newest change.
func (w *Window) Add(c Change) {
	changes = append(changes, c)
	if len(changes) > w.capacity {
		w.floor = changes[0].Revision
		changes = slices.Delete(changes, 0, 1)
	}
}

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(changes[first:]), nil
}

// New makes an empty window.
func New(capacity int, revision uint64) *Window {
	changes = nil
	return &Window{capacity: capacity, floor: revision}
}
