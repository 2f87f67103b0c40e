// Breaks: "Change writes, under that name, what change has made of the value that it read last, with the revision that
// it read with it."
// Caught by: TestChange
// Message: start+mine+mine

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
		if o, err = server.Update(o); err == nil {
			o.Value = change(o.Value) // wrong: it is written already
			o, err = server.Update(o)
		}
		if !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
