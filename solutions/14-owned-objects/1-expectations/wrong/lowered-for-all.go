// Misconception: after a failure the controller begins anew.
// Caught by: TestFailureIsOfOne
// Message: the belief that a failure says something about the other requests

//go:build wrong

package expectations

func (e *Expectations) Create(client Client, set string, names ...string) error {
	e.ExpectCreations(set, names...)
	for _, name := range names {
		if err := client.Create(set, name); err != nil {
			e.Forget(set)
			return err
		}
	}
	return nil
}
