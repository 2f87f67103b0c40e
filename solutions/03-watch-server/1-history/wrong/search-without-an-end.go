// Breaks: "Since returns all the changes after the revision as they were added, oldest first."
// Caught by: TestResume
// Message: a loop that has no end

//go:build wrong

package history

import "slices"

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	low, high := 0, len(w.changes)
	for low < high {
		middle := (low + high) / 2
		if w.changes[middle].Revision > revision {
			high = middle
		} else {
			low = middle // wrong: when they are neighbours, it stays where it is
		}
	}
	return slices.Clone(w.changes[low:]), nil
}
