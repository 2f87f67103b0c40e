// Misconception: What was sent is what is there then.
// Caught by: TestChange
// Message: what was sent is what is there then

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
		if _, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
