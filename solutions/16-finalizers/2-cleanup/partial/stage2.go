// Run returns each error, and asks for a log that was kept before it keeps one.

//go:build partial

package cleanup

import "k8s.io/apimachinery/pkg/types"

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil {
		return false, err
	}
	switch state {
	case Running:
		return false, c.World.Stop(p.UID)
	case Ended:
		if err := c.keep(p.UID); err != nil {
			return false, err
		}
		if err := c.World.Forget(p.UID); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (c *Cleanup) keep(uid types.UID) error {
	kept, err := c.World.Kept(uid)
	if err != nil || kept {
		return err
	}
	log, err := c.World.Log(uid)
	if err != nil {
		return err
	}
	return c.World.Keep(uid, log)
}
