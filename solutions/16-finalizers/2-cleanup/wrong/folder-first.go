// Misconception: a log that is in memory is safe.
// Caught by: TestOrder
// Message: the belief that the folder may go while the log is still to be kept

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
	log, err := c.World.Log(p.UID)
	if err != nil {
		return false, err
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, c.World.Keep(p.UID, log)
}
