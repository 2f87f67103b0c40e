// Misconception: A revision with nothing after it in the window is too old.
// Caught by: TestNewest
// Message: nothing to replay means that something was lost

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
		return nil, ErrExpired
	}
	return slices.Clone(w.changes[first:]), nil
}
