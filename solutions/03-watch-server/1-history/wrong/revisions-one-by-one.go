// Misconception: The changes of a resource are numbered one by one, so the place of a revision can be computed.
// Caught by: TestRevisionsHaveGaps
// Message: each resource counts its own revisions, one by one

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	if len(w.changes) == 0 {
		return nil, nil
	}
	first := int(revision) - int(w.changes[0].Revision) + 1
	first = min(max(first, 0), len(w.changes))
	return slices.Clone(w.changes[first:]), nil
}
