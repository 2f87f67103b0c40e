// Breaks: "Errors may be wrapped: errors.Is tells which one it is."
// Caught by: TestChangeGivesUp
// Message: Update fails with another error of that text: Change is refused

//go:build wrong

package conflict

import "strings"

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		o, err = server.Update(o)
		if err == nil || !strings.Contains(err.Error(), ErrConflict.Error()) { // wrong: another error may say so too
			return o, err
		}
	}
}
