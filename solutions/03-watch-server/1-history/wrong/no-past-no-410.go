// Misconception: 410 needs something that was thrown away; a window that is not full answers everything.
// Caught by: TestBeforeTheWindowBegan
// Message: 410 comes only after something was thrown away

//go:build wrong

package history

// New makes an empty window.
func New(capacity int, revision uint64) *Window {
	return &Window{capacity: capacity, floor: 0}
}
