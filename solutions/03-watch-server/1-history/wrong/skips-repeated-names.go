// Breaks: "Add keeps each change, also when there are others of the same object."
// Caught by: TestEachChangeIsKept
// Message: it returned [2 of "a" 3 of "b" 5 of "a" 6 of ""]

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	if n := len(w.changes); n > 0 && w.changes[n-1].Name == c.Name {
		w.changes[n-1] = c // wrong: the one before is lost
		return
	}
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
