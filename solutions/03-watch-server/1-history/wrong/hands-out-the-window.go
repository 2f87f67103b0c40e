// Misconception: A slice that is returned is a copy.
// Caught by: TestReplayIsTheCallers
// Message: a slice is a copy: the watcher is still sending while the window moves on under it

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return w.changes[first:], nil
}
