// Breaks: "Asking changes nothing: the same question has the same answer until the next Add."
// Caught by: TestAskingChangesNothing
// Message: it returned

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	for len(w.changes) > 0 && w.changes[0].Revision <= revision {
		w.floor = w.changes[0].Revision // wrong: another client may be behind
		w.changes = slices.Delete(w.changes, 0, 1)
	}
	return slices.Clone(w.changes), nil
}
