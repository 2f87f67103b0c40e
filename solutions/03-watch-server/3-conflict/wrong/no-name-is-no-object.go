// Breaks: "A name and a value are any text, which may be empty."
// Caught by: TestChangeOfAnyText
// Message: the name is "", change makes "" of ""

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		if err == nil && o.Name == "" {
			err = ErrNotFound // wrong: a name may be empty
		}
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
