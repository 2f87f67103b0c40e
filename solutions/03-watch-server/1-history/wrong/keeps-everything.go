// Misconception: The server can remember every change.
// Caught by: TestForgottenIsExpired
// Message: history can be kept for ever

//go:build wrong

package history

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
}
