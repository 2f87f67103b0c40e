// Misconception: what panics changes nothing.
// Caught by: TestPanicAlone
// Message: the belief that what panics has done nothing

//go:build wrong

package operations

import "fmt"

// try calls an operation.
func try(operation Operation, s *State) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("an operation has panicked: %v", p)
		}
	}()
	operation(s)
	return nil
}
