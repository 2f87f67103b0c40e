// Breaks: "Change writes, under that name, what change has made of the value that it read last, with the revision that
// it read with it."
// Caught by: TestChange
// Message: it is start+mine;

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	first, err := server.Get(name)
	if err != nil {
		return Object{}, err
	}
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(first.Value) // wrong: that value may be no more
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
