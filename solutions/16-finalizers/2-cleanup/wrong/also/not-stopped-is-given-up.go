// Misconception: what can't be stopped is not worth an error.
// Stage: 2

//go:build wrong

package cleanup

import "errors"

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil || state == Nothing {
		return err == nil, err
	}
	if state == Running {
		if err := c.end(p); err != nil && !errors.Is(err, ErrEnded) {
			return true, nil
		}
		return false, nil
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
