// Misconception: the archive says how far it came.
// Caught by: TestKeptStays
// Message: the belief that what is kept is over

//go:build wrong

package cleanup

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil || state == Nothing {
		return err == nil, err
	}
	if state == Running {
		return false, c.end(p)
	}
	kept, err := c.World.Kept(p.UID)
	if err != nil {
		return false, err
	}
	if kept {
		return true, nil
	}
	if err := c.keep(p.UID); err != nil {
		return false, err
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
}
