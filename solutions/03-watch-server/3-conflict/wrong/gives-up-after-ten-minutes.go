// Breaks: "When Update returns ErrConflict, Change begins again by reading, as often as it takes."
// Caught by: TestChangeTriesAsOftenAsItTakes
// Message: after 10 conflicts it returned

//go:build wrong

package conflict

import (
	"errors"
	"time"
)

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	begin := time.Now()
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		o, err = server.Update(o)
		if !errors.Is(err, ErrConflict) || time.Since(begin) >= 10*time.Minute { // wrong: it takes as often as it takes
			return o, err
		}
	}
}
