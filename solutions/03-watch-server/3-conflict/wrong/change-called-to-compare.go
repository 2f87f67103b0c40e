// Breaks: "change is called once for each object that was read, and not when there was none."
// Caught by: TestChange
// Message: it was called with

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
		if change(o.Value) == o.Value {
			return o, nil
		}
		o.Value = change(o.Value) // wrong: a second time
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
