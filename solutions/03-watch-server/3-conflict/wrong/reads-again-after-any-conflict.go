// Breaks: "Change returns any error of Get, and any other one of Update, and then tries no more."
// Caught by: TestChangeGivesUp
// Message: Get says that there is a conflict: Change is refused

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		if err == nil {
			o.Value = change(o.Value)
			o, err = server.Update(o)
		}
		if !errors.Is(err, ErrConflict) { // wrong: this one may be Get's
			return o, err
		}
	}
}
