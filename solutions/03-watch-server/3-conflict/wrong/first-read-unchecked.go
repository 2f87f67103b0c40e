// Breaks: "Change returns any error of Get, and any other one of Update, and then tries no more."
// Caught by: TestChangeGivesUp
// Message: Get fails

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		if errors.Is(err, ErrNotFound) {
			return Object{}, err // wrong: there are other errors
		}
		o.Value = change(o.Value)
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
