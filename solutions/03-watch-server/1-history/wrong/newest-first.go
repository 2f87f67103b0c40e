// Breaks: "Since returns all the changes after the revision as they were added, oldest first."
// Caught by: TestResume
// Message: it returned [5 4]

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	var out []Change
	for _, c := range slices.Backward(w.changes) { // wrong: oldest first
		if c.Revision > revision {
			out = append(out, c)
		}
	}
	return out, nil
}
