// Breaks: "When there would be more than capacity, Add forgets the oldest one, and only that one."
// Caught by: TestForgottenIsExpired
// Message: it returned [3 4 5 6]

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	if len(w.changes) > w.capacity { // wrong: asked before the change is there
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
	w.changes = append(w.changes, c)
}
