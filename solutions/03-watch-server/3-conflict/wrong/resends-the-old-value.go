// Misconception: After a conflict, the same write has to be sent with the new revision.
// Caught by: TestChange
// Message: after a conflict the same value can be sent under the new revision

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	value := ""
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		if value == "" {
			value = change(o.Value)
		}
		o.Value = value
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
