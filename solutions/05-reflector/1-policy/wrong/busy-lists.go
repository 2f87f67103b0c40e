// Misconception: after a 429, as after any status of an error, everything is listed again.
// Caught by: TestABusyServer
// Message: the belief that after a 429 everything has to be listed again

//go:build wrong

package policy

import "errors"

func busyOrAway(err error) bool {
	return errors.Is(err, ErrRefused)
}
