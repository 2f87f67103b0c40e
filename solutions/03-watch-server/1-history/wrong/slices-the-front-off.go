// Breaks: What is forgotten takes no more memory, from that Add on.
// Caught by: TestForgottenTakesNoMemoryAtOnce
// Message: 2 of them were still in memory

//go:build wrong

package history

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = w.changes[1:] // wrong: the array holds what is before the slice, until append makes a new one
	}
}
