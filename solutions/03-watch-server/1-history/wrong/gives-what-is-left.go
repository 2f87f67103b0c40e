// Misconception: A client that comes late gets as much as is still there.
// Caught by: TestForgottenIsExpired
// Message: it goes on with a hole in its history, and nobody tells it

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < 1 {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
