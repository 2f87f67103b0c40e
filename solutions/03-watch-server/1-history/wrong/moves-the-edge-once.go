// Breaks: "When the window can't tell all of them, since one was forgotten or may have been made before the window
// began, Since returns ErrExpired and no changes."
// Caught by: TestForgottenIsExpired
// Message: it returned [

//go:build wrong

package history

import "slices"

// Window keeps the latest changes of one resource.
type Window struct {
	capacity int      // how many changes it may keep
	changes  []Change // those it keeps, oldest first
	floor    uint64   // every change after this revision is in changes
	forgot   bool
}

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		if !w.forgot {
			w.floor, w.forgot = w.changes[0].Revision, true // wrong: each time, not the first time alone
		}
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
