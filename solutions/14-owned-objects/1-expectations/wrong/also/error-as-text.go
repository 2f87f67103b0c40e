// Breaks: errors.Is finds the failure in the error.
// Stage: 2

//go:build wrong

package expectations

import "errors"

func (e *Expectations) Create(client Client, set string, names ...string) error {
	var text string
	e.ExpectCreations(set, names...)
	for _, name := range names {
		if err := client.Create(set, name); err != nil {
			e.CreationObserved(set, name)
			text += err.Error()
		}
	}
	if text != "" {
		return errors.New(text)
	}
	return nil
}
