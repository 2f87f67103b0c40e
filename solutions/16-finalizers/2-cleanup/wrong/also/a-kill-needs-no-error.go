// Misconception: a Kill does not fail.
// Stage: 4

//go:build wrong

package cleanup

import (
	"errors"
	"time"
)

func (c *Cleanup) end(p Process) error {
	if time.Since(p.Deleted) >= p.Grace {
		_ = c.World.Kill(p.UID)
		return nil
	}
	if err := c.World.Stop(p.UID); !errors.Is(err, ErrEnded) {
		return err
	}
	return nil
}
