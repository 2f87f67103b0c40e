// Package history is the window of changes from which a server resumes a watch.
package history

import (
	"errors"
	"sort"
)

// ErrExpired is what a client gets as "410 Gone": the window no longer reaches back to its revision.
var ErrExpired = errors.New("too old resource version")

// Change is one write to one object.
type Change struct {
	Revision uint64
	Name     string
}

// Window is a ring, as upstream's is, with the change that it forgot last kept as its edge.
type Window struct {
	ring  []Change
	added int
	edge  Change
}

// New makes an empty window.
func New(capacity int, revision uint64) *Window {
	return &Window{ring: make([]Change, capacity), edge: Change{Revision: revision}}
}

// Add takes the newest change.
func (w *Window) Add(c Change) {
	if len(w.ring) == 0 {
		w.edge = c
		return
	}
	slot := &w.ring[w.added%len(w.ring)]
	if w.added >= len(w.ring) {
		w.edge = *slot
	}
	*slot = c
	w.added++
}

// Since returns all the changes after a revision, oldest first.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if w.edge.Revision > revision {
		return nil, ErrExpired
	}
	size := min(w.added, len(w.ring))
	at := func(i int) Change { return w.ring[(w.added-size+i)%len(w.ring)] }
	first := sort.Search(size, func(i int) bool { return at(i).Revision > revision })
	out := []Change{}
	for i := first; i < size; i++ {
		out = append(out, at(i))
	}
	return out, nil
}
