// Misconception: what has been created can be expected.
// Caught by: TestEventBeforeAnswer
// Message: the belief that an event comes after the answer

//go:build wrong

package expectations

import "errors"

// Create expects what it has created, so that nothing is to be taken back.
func (e *Expectations) Create(client Client, set string, names ...string) error {
	var failures []error
	for _, name := range names {
		if err := client.Create(set, name); err != nil {
			failures = append(failures, err)
			continue
		}
		e.ExpectCreations(set, name)
	}
	return errors.Join(failures...)
}
