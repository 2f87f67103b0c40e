// Breaks: "What is forgotten takes no more memory, from that Add on."
// Caught by: TestForgottenTakesNoMemory
// Message: it holds

//go:build wrong

package history

import "slices"

// Window keeps the latest changes of one resource.
type Window struct {
	capacity int      // how many changes it may keep
	changes  []Change // all of them
	floor    uint64
	first    int // of those that count
}

// Add takes the newest change.
func (w *Window) Add(c Change) {
	w.changes = append(w.changes, c)
	if len(w.changes)-w.first > w.capacity {
		w.floor = w.changes[w.first].Revision
		w.first++ // wrong: what is not looked at is still held
	}
}

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	kept := w.changes[w.first:]
	first := slices.IndexFunc(kept, func(c Change) bool { return c.Revision > revision })
	if first < 0 {
		return nil, nil
	}
	return slices.Clone(kept[first:]), nil
}
