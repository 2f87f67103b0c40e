// Breaks: "Since returns all the changes after the revision as they were added, oldest first."
// Caught by: TestAnyRevision
// Message: it returned [1 2]

//go:build wrong

package history

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	var out []Change
	for _, c := range w.changes {
		if int64(c.Revision)-int64(revision) > 0 && int64(c.Revision) > int64(revision) { // wrong: they are unsigned
			out = append(out, c)
		}
	}
	return out, nil
}
