// Breaks: "When the window can't tell all of them, since one was forgotten or may have been made before the window
// began, Since returns ErrExpired and no changes."
// Caught by: TestBeforeTheWindowBegan
// Message: it returned []

//go:build wrong

package history

// New makes an empty window.
func New(capacity int, revision uint64) *Window {
	return &Window{capacity: capacity, floor: max(revision, 1) - 1} // wrong: what was written at revision is before it
}
