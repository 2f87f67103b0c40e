// Breaks: "Errors may be wrapped: errors.Is tells which one it is."
// Caught by: TestChangeTriesAsOftenAsItTakes
// Message: whose errors are wrapped

//go:build wrong

package conflict

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		if o, err = server.Update(o); err != ErrConflict {
			return o, err
		}
	}
}
