// Misconception: as much as can be done is done.
// Caught by: TestStopsThere
// Message: the belief that all steps are tried, and the errors told together

//go:build wrong

package cleanup

import "errors"

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil || state == Nothing {
		return err == nil, err
	}
	if state == Running {
		return false, c.end(p)
	}
	var failed error
	kept, err := c.World.Kept(p.UID)
	if err != nil {
		return false, err
	}
	if !kept {
		log, err := c.World.Log(p.UID)
		if err != nil {
			return false, err
		}
		failed = c.World.Keep(p.UID, log)
	}
	err = errors.Join(failed, c.World.Forget(p.UID))
	return err == nil, err
}
