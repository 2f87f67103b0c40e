// Misconception: A resourceVersion names the next event to send.
// Caught by: TestResume
// Message: the client has handled the event with that revision, and gets it twice

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision >= revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
