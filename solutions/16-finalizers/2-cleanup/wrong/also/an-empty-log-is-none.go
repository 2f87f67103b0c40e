// Misconception: less of a log is still the log.
// Stage: 2

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
	if log, err := c.World.Log(p.UID); err != nil {
		return false, err
	} else if log != "" {
		if err := c.World.Keep(p.UID, log); err != nil {
			return false, err
		}
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
}
