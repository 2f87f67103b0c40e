// Breaks: "When the window can't tell all of them, since one was forgotten or may have been made before the window
// began, Since returns ErrExpired and no changes."
// Caught by: TestBeforeTheWindowBegan
// Message: it returned []

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if len(w.changes) == 0 {
		return nil, nil // wrong: what was written before it began?
	}
	if revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
