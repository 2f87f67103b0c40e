// Breaks: errors.Is finds the failure in the error.
// Stage: 2

//go:build wrong

package expectations

func (e *Expectations) Create(client Client, set string, names ...string) error {
	var err error
	e.ExpectCreations(set, names...)
	for _, name := range names {
		if err = client.Create(set, name); err != nil {
			e.CreationObserved(set, name)
		}
	}
	return err
}
