// Breaks: "Change returns any error of Get, and any other one of Update, and then tries no more."
// Caught by: TestChangeGivesUp
// Message: change was called 2 times

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	tries := 0
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		now, err := server.Update(o)
		if err != nil && !errors.Is(err, ErrConflict) && tries == 0 {
			tries++ // wrong: only a conflict is healed by trying again
			continue
		}
		if o = now; !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
