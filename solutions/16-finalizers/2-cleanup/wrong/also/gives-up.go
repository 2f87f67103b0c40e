// Misconception: an object must not be held for ever, so a second failure is the last.
// Stage: 3

//go:build wrong

package cleanup

import "k8s.io/apimachinery/pkg/types"

type Cleanup struct {
	World World

	failed map[types.UID]int
}

func New(w World) *Cleanup {
	return &Cleanup{World: w, failed: map[types.UID]int{}}
}

func (c *Cleanup) Run(p Process) (done bool, err error) {
	done, err = c.run(p)
	if err != nil {
		c.failed[p.UID]++
	}
	if c.failed[p.UID] > 1 {
		return true, nil
	}
	return done, err
}

func (c *Cleanup) run(p Process) (done bool, err error) {
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
		if err := c.keep(p.UID); err != nil {
			return false, err
		}
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
}
