// Breaks: "It does so also when that is the same value."
// Caught by: TestChangeWritesTheSameValueToo
// Message: the server has a = "green"

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
		value := change(o.Value)
		if value == o.Value {
			return o, nil // wrong: another client may have changed it since
		}
		o.Value = value
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
