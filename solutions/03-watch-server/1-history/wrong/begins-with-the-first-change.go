// Misconception: History begins with the first change that the window takes.
// Caught by: TestBeforeTheWindowBegan
// Message: the belief that history begins with the first change in the window

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	if len(w.changes) == 0 {
		w.floor = c.Revision // wrong: it knows that nothing came between its begin and c
	}
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
