// Misconception: A client whose revision lies between two changes is as good as at the later one.
// Caught by: TestEdgeOfTheWindow
// Message: a client in the gap before the window has missed nothing

//go:build wrong

package history

import "slices"

// Window keeps the latest changes of one resource.
type Window struct {
	capacity int      // how many changes it may keep
	changes  []Change // those it keeps, oldest first
	before   uint64
	floor    uint64 // every change after this revision is in changes
}

// Add takes the newest change.
func (w *Window) Add(c Change) {
	if len(w.changes) == w.capacity {
		w.before, w.floor = w.floor, w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
	w.changes = append(w.changes, c)
}

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor && revision <= w.before {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
