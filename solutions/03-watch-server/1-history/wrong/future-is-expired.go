// Breaks: "When nothing came after it, Since returns no changes and no error, also when the revision is higher
// than that of the newest change."
// Caught by: TestAfterTheNewest
// Message: it returned ErrExpired

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	if n := len(w.changes); n > 0 && revision > w.changes[n-1].Revision {
		return nil, ErrExpired // wrong: other resources have revisions too
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
