// Misconception: the Grace begins when it is over.
// Stage: 4

//go:build wrong

package cleanup

import (
	"errors"
	"time"
)

func (c *Cleanup) end(p Process) error {
	ask := c.World.Stop
	if time.Since(p.Deleted) >= 2*p.Grace {
		ask = c.World.Kill
	}
	if err := ask(p.UID); !errors.Is(err, ErrEnded) {
		return err
	}
	return nil
}
