// Breaks: "The slice is the caller's: what is written into it or added to it changes no other answer, and no later
// Add changes it."
// Caught by: TestReplayIsTheCallers
// Message: the other has [999 of "scribble" 10 11]

//go:build wrong

package history

import "slices"

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = slices.Clone(w.changes[1:]) // a new array, so that no answer changes
	}
}

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	answer := w.changes[first:] // wrong: behind it is room, in which both write
	return answer, nil
}
