// Breaks: "New makes an empty window for at most capacity changes, which may be 0."
// Caught by: TestAnyCapacity
// Message: it returned []

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	if w.capacity == 0 {
		return // wrong: it is forgotten, so that the edge moves
	}
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
