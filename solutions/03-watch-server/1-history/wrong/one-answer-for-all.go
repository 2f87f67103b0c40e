// Breaks: "The slice is the caller's: what is written into it or added to it changes no other answer, and no later
// Add changes it."
// Caught by: TestReplayIsTheCallers
// Message: the other has [999

//go:build wrong

package history

import "slices"

// Window keeps the latest changes of one resource.
type Window struct {
	capacity int      // how many changes it may keep
	changes  []Change // those it keeps, oldest first
	floor    uint64   // every change after this revision is in changes
	answers  map[uint64][]Change
}

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.answers = map[uint64][]Change{}
	w.changes = append(w.changes, c)
	if len(w.changes) > w.capacity {
		w.floor = w.changes[0].Revision
		w.changes = slices.Delete(w.changes, 0, 1)
	}
}

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	if answer, ok := w.answers[revision]; ok {
		return answer, nil // wrong: another caller has it already
	}
	first := slices.IndexFunc(w.changes, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	w.answers[revision] = slices.Clone(w.changes[first:])
	return w.answers[revision], nil
}
