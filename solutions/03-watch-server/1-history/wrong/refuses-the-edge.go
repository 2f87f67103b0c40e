// Misconception: One can resume only from a revision that is in the window.
// Caught by: TestEdgeOfTheWindow
// Message: Since(3) returns the changes [4 5 6]

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if len(w.changes) == w.capacity && revision < w.changes[0].Revision || revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
