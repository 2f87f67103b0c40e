// Breaks: "Since returns all the changes after the revision as they were added, oldest first."
// Caught by: TestResume
// Message: it returned [4]

//go:build wrong

package history

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	for _, c := range w.changes {
		if c.Revision > revision {
			return []Change{c}, nil // wrong: and the others?
		}
	}
	return nil, nil
}
