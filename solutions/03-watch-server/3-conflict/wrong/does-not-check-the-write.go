// Misconception: A write is made when it was sent.
// Caught by: TestChange
// Message: a write is made when it was sent

//go:build wrong

package conflict

// Change reads, changes and writes.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	o, err := server.Get(name)
	if err != nil {
		return Object{}, err
	}
	o.Value = change(o.Value)
	if now, err := server.Update(o); err == nil {
		return now, nil
	}
	return o, nil // wrong: was it refused?
}
