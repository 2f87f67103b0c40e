// Breaks: "Change writes, under that name, what change has made of the value that it read last, with the revision that
// it read with it."
// Caught by: TestChange
// Message: it is start+mine+mine+mine

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	o, err := server.Get(name)
	if err != nil {
		return Object{}, err
	}
	for {
		o.Value = change(o.Value) // wrong: after a conflict, that is its own value
		now, err := server.Update(o)
		if !errors.Is(err, ErrConflict) {
			return now, err
		}
		read, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Revision = read.Revision
	}
}
