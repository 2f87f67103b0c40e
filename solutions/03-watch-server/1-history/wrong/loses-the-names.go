// Breaks: "Since returns all the changes after the revision as they were added, oldest first."
// Caught by: TestResume
// Message: it returned [4 of "" 5 of ""]

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, Change{Revision: c.Revision}) // wrong: where is the name?
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}
