// Misconception: a step that can be repeated needs no look.
// Caught by: TestKeptStays
// Message: the belief that to keep a log again is to keep the same

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
	if err := c.keep(p.UID); err != nil {
		return false, err
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
}
