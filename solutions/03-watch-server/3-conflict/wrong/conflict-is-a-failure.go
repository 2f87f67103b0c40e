// Misconception: A conflict is an error to report.
// Caught by: TestChange
// Message: a conflict is a failure: it is the server

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
		if o, err = server.Update(o); err != nil || o.Revision > 0 {
			return o, err
		}
	}
}
