// Misconception: the log is in the archive when all is done.
// Caught by: TestNothing
// Message: the belief that there is always something to clean up

//go:build wrong

package cleanup

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil {
		return false, err
	}
	if state == Nothing {
		return c.World.Kept(p.UID)
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
