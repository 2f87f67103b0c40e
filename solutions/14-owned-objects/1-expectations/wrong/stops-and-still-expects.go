// Misconception: one failure takes back one expectation.
// Caught by: TestFailedCreation
// Message: the belief that what was to be created will be seen

//go:build wrong

package expectations

// Create sends nothing after a failure.
func (e *Expectations) Create(client Client, set string, names ...string) error {
	e.ExpectCreations(set, names...)
	for _, name := range names {
		if err := client.Create(set, name); err != nil {
			e.CreationObserved(set, name)
			return err
		}
	}
	return nil
}
