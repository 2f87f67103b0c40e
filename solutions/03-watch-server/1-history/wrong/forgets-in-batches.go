// Breaks: "When there would be more than capacity, Add forgets the oldest one, and only that one."
// Caught by: TestForgottenIsExpired
// Message: it returned [3 4 5 6]

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if len(w.changes) > 2*w.capacity { // wrong: later than promised
		old := len(w.changes) - w.capacity
		w.floor = w.changes[old-1].Revision
		w.changes = slices.Delete(w.changes, 0, old)
	}
}
