// Breaks: Apply returns an error then that says what the panic said.
// Stage: 4

//go:build wrong

package operations

import "errors"

// try calls an operation.
func try(operation Operation, s *State) (err error) {
	before := *s
	defer func() {
		if recover() != nil {
			*s = before
			err = errors.New("an operation has panicked")
		}
	}()
	operation(s)
	return nil
}
