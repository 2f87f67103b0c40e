// Misconception: After revision N, N+1 has been seen as well.
// Caught by: TestResume
// Message: the belief that the event after the resourceVersion has been sent too

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision+1 })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
