// Breaks: "New makes an empty window for at most capacity changes, which may be 0."
// Caught by: TestAnyCapacity
// Message: it returned [9]

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if w.capacity > 0 && len(w.changes) > w.capacity { // wrong: 0 is no special case
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
