// Misconception: To resume from a revision, the server looks it up.
// Caught by: TestRevisionsHaveGaps
// Message: the belief that a revision has to be in the window to resume from it

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	i := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision == revision })
	if i < 0 {
		return nil, ErrExpired // wrong: it may lie between two of them
	}
	return slices.Clone(w.changes[i+1:]), nil
}
