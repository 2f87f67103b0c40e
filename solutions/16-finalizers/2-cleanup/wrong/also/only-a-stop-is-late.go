// Misconception: a Kill can not come too late.
// Stage: 4

//go:build wrong

package cleanup

import (
	"errors"
	"time"
)

func (c *Cleanup) end(p Process) error {
	if time.Since(p.Deleted) >= p.Grace {
		return c.World.Kill(p.UID)
	}
	if err := c.World.Stop(p.UID); !errors.Is(err, ErrEnded) {
		return err
	}
	return nil
}
