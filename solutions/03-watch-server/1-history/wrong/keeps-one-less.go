// Breaks: "When there would be more than capacity, Add forgets the oldest one, and only that one."
// Caught by: TestEdgeOfTheWindow
// Message: it returned ErrExpired

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if len(w.changes) >= w.capacity { // wrong: it is full, and not more than that
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
