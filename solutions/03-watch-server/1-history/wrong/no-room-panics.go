// Breaks: "New makes an empty window for at most capacity changes, which may be 0."
// Caught by: TestAnyCapacity
// Message: panic

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	if len(w.changes) == w.capacity { // wrong: 0 is 0, and there is none to forget
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
	w.changes = append(w.changes, c)
}
