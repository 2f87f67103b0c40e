// Breaks: "When the window can't tell all of them, since one was forgotten or may have been made before the window
// began, Since returns ErrExpired and no changes."
// Caught by: TestForgottenIsExpired
// Message: it returned ErrExpired and [

//go:build wrong

package history

// Since tells what came after a revision.
func (w *Window) Since(revision uint64) ([]Change, error) {
	var out []Change
	for _, c := range w.changes {
		if c.Revision > revision {
			out = append(out, c)
		}
	}
	if revision < w.floor {
		return out, ErrExpired // wrong: with an error there are no changes
	}
	return out, nil
}
