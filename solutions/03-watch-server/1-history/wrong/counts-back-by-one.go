// Misconception: Revisions follow each other without gaps, so the edge is the revision of the oldest change less one.
// Caught by: TestEdgeOfTheWindow
// Message: the edge of the window can be computed from the oldest change in it

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	if len(w.changes) == w.capacity {
		w.changes = slices.Delete(w.changes, 0, 1)
		w.floor = w.changes[0].Revision - 1
	}
	w.changes = append(w.changes, c)
}
