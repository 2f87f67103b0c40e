// Breaks: "When nothing came after it, Since returns no changes and no error, also when the revision is higher
// than that of the newest change."
// Caught by: TestAnyRevision
// Message: it returned [1 2]

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	next := revision + 1 // wrong: what comes after the highest one?
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision >= next })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(w.changes[first:]), nil
}
