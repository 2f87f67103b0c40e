// Breaks: "Change writes, under that name, what change has made of the value that it read last, with the revision that
// it read with it."
// Caught by: TestChangeTriesAsOftenAsItTakes
// Message: the server has

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for try := 0; ; try++ {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		if try >= 10 {
			o.Revision = 0 // wrong: another write gets lost
		}
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
