// Breaks: "Change returns any error of Get, and any other one of Update, and then tries no more."
// Caught by: TestChangeGivesUp
// Message: there is a conflict, then Get fails

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	o, err := server.Get(name)
	if err != nil {
		return Object{}, err
	}
	for {
		o.Value = change(o.Value)
		now, err := server.Update(o)
		if !errors.Is(err, ErrConflict) {
			return now, err
		}
		o, _ = server.Get(name) // wrong: this can fail too
	}
}
