// Breaks: "When there would be more than capacity, Add forgets the oldest one, and only that one."
// Caught by: TestAskingChangesNothing
// Message: it returned ErrExpired

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		half := (len(w.changes) + 1) / 2 // wrong: more than has to go
		w.floor = w.changes[half-1].Revision
		w.changes = slices.Delete(w.changes, 0, half)
	}
}
