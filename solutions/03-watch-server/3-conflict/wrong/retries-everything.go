// Misconception: Every failed write is worth another try.
// Caught by: TestChangeGivesUp
// Message: every failed write is worth another try

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
		if o, err = server.Update(o); err == nil {
			return o, err
		}
	}
}
