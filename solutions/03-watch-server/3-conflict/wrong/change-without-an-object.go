// Breaks: "change is called once for each object that was read, and not when there was none."
// Caught by: TestChangeGivesUp
// Message: change was called 1 times

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		value := change(o.Value) // wrong: of what?
		if err != nil {
			return Object{}, err
		}
		o.Value = value
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
