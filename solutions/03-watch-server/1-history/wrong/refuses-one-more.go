// Breaks: "Since returns all the changes after the revision as they were added, oldest first."
// Caught by: TestEdgeOfTheWindow
// Message: it returned ErrExpired

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision <= w.floor { // wrong: at the floor nothing is missing
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
