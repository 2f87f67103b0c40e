// Breaks: "When there would be more than capacity, Add forgets the oldest one, and only that one."
// Caught by: TestRevisionsHaveGaps
// Message: it returned ErrExpired

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	for len(w.changes) > 0 && w.changes[0].Revision+uint64(w.capacity) <= c.Revision { // wrong: revisions are no count
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
