// Breaks: "When Update succeeds, Change returns the object as Update returned it."
// Caught by: TestChangeReturnsWhatTheServerAnswered
// Message: somebody else

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		if _, err = server.Update(o); err == nil {
			return server.Get(name) // wrong: somebody may have written since
		}
		if !errors.Is(err, ErrConflict) {
			return Object{}, err
		}
	}
}
