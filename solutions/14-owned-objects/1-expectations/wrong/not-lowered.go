// Misconception: a failure is the caller's to look after.
// Caught by: TestFailedCreation
// Message: the belief that a failed request is like any other

//go:build wrong

package expectations

import "errors"

func (e *Expectations) Create(client Client, set string, names ...string) error {
	var failures []error
	e.ExpectCreations(set, names...)
	for _, name := range names {
		failures = append(failures, client.Create(set, name))
	}
	return errors.Join(failures...)
}
