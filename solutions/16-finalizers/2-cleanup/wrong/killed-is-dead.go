// Misconception: nothing survives a SIGKILL.
// Caught by: TestAfterKill
// Message: the belief that a process which was killed is dead

//go:build wrong

package cleanup

import "time"

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil || state == Nothing {
		return err == nil, err
	}
	if state == Running {
		if err := c.end(p); err != nil || time.Since(p.Deleted) < p.Grace {
			return false, err
		}
	}
	kept, err := c.World.Kept(p.UID)
	if err != nil {
		return false, err
	}
	if !kept {
		if err := c.keep(p.UID); err != nil {
			return false, err
		}
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
}
