// Breaks: "The slice is the caller's: what is written into it or added to it changes no other answer, and no later
// Add changes it."
// Caught by: TestReplayCanBeAddedTo
// Message: it ends in

//go:build wrong

package history

// Window keeps the latest changes of one resource.
type Window struct {
	capacity int      // how many changes it may keep
	changes  []Change // those it keeps, oldest first
	floor    uint64   // every change after this revision is in changes
	answers  []Change // all that were given
}

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	if revision < w.floor {
		return nil, ErrExpired
	}
	if len(w.answers) > 10*w.capacity {
		w.answers = nil
	}
	begin := len(w.answers)
	for _, c := range w.changes {
		if c.Revision > revision {
			w.answers = append(w.answers, c)
		}
	}
	return w.answers[begin:], nil // wrong: the room behind it is for the next answer
}
