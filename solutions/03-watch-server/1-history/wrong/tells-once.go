// Breaks: "Asking changes nothing: the same question has the same answer until the next Add."
// Caught by: TestAskingChangesNothing
// Message: it returned []

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
	out := slices.Clone(w.changes[first:])
	w.changes = w.changes[:first] // wrong: the next one who asks gets nothing
	return out, nil
}
