// Breaks: "When Update succeeds, Change returns the object as Update returned it."
// Caught by: TestChangeReturnsWhatTheServerAnswered
// Message: it returned a = "start+mine

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
		o.Revision++ // wrong: the server knows, and not the client
		sent := Object{o.Name, o.Value, o.Revision - 1}
		if _, err = server.Update(sent); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
