//go:build !linux

package scenario

import "errors"

// adoptOrphans needs Linux: elsewhere orphans are pid 1's alone, and pid 1 waits for them.
func adoptOrphans() error {
	return errors.New("this part needs Linux: here each orphan is given to pid 1, which waits for it")
}
