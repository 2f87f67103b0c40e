// Misconception: whoever was there has written a log.
// Caught by: TestNothing
// Message: the belief that each process has a log

//go:build wrong

package cleanup

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil {
		return false, err
	}
	if state == Running {
		return false, c.end(p)
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
