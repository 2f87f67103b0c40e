// Package history is the window of changes from which a server resumes a watch.
package history

import (
	"container/list"
	"errors"
)

// ErrExpired is what a client gets as "410 Gone": the window no longer reaches back to its revision.
var ErrExpired = errors.New("too old resource version")

// Change is one write to one object.
type Change struct {
	Revision uint64
	Name     string
}

// Window is a linked list that begins with the change that it forgot last.
type Window struct {
	capacity int
	list     *list.List
}

// New makes a list of one element, which stands for all that came before.
func New(capacity int, revision uint64) *Window {
	w := &Window{capacity, list.New()}
	w.list.PushBack(Change{Revision: revision})
	return w
}

// Add appends, and takes the first element away when there are too many.
func (w *Window) Add(c Change) {
	w.list.PushBack(c)
	if w.list.Len() > w.capacity+1 {
		w.list.Remove(w.list.Front())
	}
}

// Since walks back from the newest to the first that was seen.
func (w *Window) Since(revision uint64) ([]Change, error) {
	seen := w.list.Back()
	for ; seen != nil; seen = seen.Prev() {
		if seen.Value.(Change).Revision <= revision {
			break
		}
	}
	if seen == nil {
		return nil, ErrExpired
	}
	var out []Change
	for e := seen.Next(); e != nil; e = e.Next() {
		out = append(out, e.Value.(Change))
	}
	return out, nil
}
