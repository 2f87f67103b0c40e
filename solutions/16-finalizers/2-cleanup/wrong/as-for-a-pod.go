// Misconception: deletionTimestamp is when the Grace is over, as it is for a Pod.
// Caught by: TestNotBefore
// Message: the belief that a deletionTimestamp is when the Grace is over

//go:build wrong

package cleanup

import (
	"errors"
	"time"
)

func (c *Cleanup) end(p Process) error {
	ask := c.World.Stop
	if time.Now().After(p.Deleted) {
		ask = c.World.Kill
	}
	if err := ask(p.UID); !errors.Is(err, ErrEnded) {
		return err
	}
	return nil
}
