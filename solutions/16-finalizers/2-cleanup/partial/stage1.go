// Run goes through the steps. No call fails yet.

//go:build partial

package cleanup

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, _ := c.World.Look(p.UID)
	switch state {
	case Running:
		_ = c.World.Stop(p.UID)
		return false, nil
	case Ended:
		log, _ := c.World.Log(p.UID)
		_ = c.World.Keep(p.UID, log)
		_ = c.World.Forget(p.UID)
	}
	return true, nil
}
