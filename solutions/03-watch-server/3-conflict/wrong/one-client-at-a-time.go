// Breaks: "Change writes, under that name, what change has made of the value that it read last, with the revision that
// it read with it."
// Caught by: TestManyClients
// Message: 8 clients add 1, 50 times each

//go:build wrong

package conflict

import "errors"

// read is what Change has read.
var read Object // wrong: another client has another one

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		var err error
		if read, err = server.Get(name); err != nil {
			return Object{}, err
		}
		read.Value = change(read.Value)
		if o, err := server.Update(read); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
