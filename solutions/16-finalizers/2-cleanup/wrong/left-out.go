// Misconception: an archive that fails must not hold the object.
// Caught by: TestStopsThere
// Message: the belief that a step which fails is left out

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
	if !kept {
		log, err := c.World.Log(p.UID)
		if err != nil {
			return false, err
		}
		_ = c.World.Keep(p.UID, log)
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
}
