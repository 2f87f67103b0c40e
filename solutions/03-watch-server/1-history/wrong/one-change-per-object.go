// Breaks: "Add keeps each change, also when there are others of the same object."
// Caught by: TestEachChangeIsKept
// Message: it returned [3 of "b" 5 of "a" 6 of ""]

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = slices.DeleteFunc(w.changes, func(old Change) bool { return old.Name == c.Name }) // wrong
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
