// Misconception: a function that stops a process returns when it has stopped.
// Caught by: TestRunning
// Message: the belief that a Run may wait for the end of a process

//go:build wrong

package cleanup

import "time"

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil || state == Nothing {
		return err == nil, err
	}
	if state == Running {
		if err := c.end(p); err != nil {
			return false, err
		}
	}
	for state == Running {
		time.Sleep(100 * time.Millisecond)
		if state, err = c.World.Look(p.UID); err != nil {
			return false, err
		}
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
