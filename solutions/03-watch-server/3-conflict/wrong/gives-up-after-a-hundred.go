// Breaks: "When Update returns ErrConflict, Change begins again by reading, as often as it takes."
// Caught by: TestChangeTriesAsOftenAsItTakes
// Message: after 100 conflicts

//go:build wrong

package conflict

import "errors"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for range 100 { // wrong: it is one among many
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
	return Object{}, ErrConflict
}
