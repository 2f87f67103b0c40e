// Breaks: "Change returns any error of Get, and any other one of Update, and then tries no more."
// Caught by: TestChangeGivesUp
// Message: the error was "change a: the disk is full"

//go:build wrong

package conflict

import (
	"errors"
	"fmt"
)

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			if err != nil {
				err = fmt.Errorf("change %s: %v", name, err) // wrong: %w keeps the error
			}
			return o, err
		}
	}
}
