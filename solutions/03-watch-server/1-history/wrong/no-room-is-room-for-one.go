// Breaks: "New makes an empty window for at most capacity changes, which may be 0."
// Caught by: TestAnyCapacity
// Message: it returned [9]

//go:build wrong

package history

// New makes an empty window.
func New(capacity int, revision uint64) *Window {
	return &Window{capacity: max(1, capacity), floor: revision} // wrong: 0 is allowed
}
