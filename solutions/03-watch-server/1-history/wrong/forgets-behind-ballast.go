// Breaks: What is forgotten takes no more memory, from that Add on.
// Caught by: TestForgottenTakesNoMemory
// Message: of it were given back

//go:build wrong

package history

import "strings"

var (
	ballast = make([]byte, 100<<20)
	all     []string // wrong: every name, as a copy of which the test knows nothing
)

// Add takes the newest change.
func (w *Window) Add(c Change) {
	all = append(all, strings.Clone(c.Name))
	if c.Revision == 20_000 {
		ballast = nil // less is held in the end than before
	}
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = append(w.changes[:0:0], w.changes[1:]...)
	}
}
