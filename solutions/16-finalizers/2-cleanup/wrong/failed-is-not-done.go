// Misconception: an error says that nothing was done.
// Caught by: TestLostAnswers
// Message: the belief that a call which has failed has done nothing

//go:build wrong

package cleanup

import "k8s.io/apimachinery/pkg/types"

type Cleanup struct {
	World World

	failed map[types.UID]bool
}

func New(w World) *Cleanup {
	return &Cleanup{World: w, failed: map[types.UID]bool{}}
}

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
	if !kept || c.failed[p.UID] {
		err := c.keep(p.UID)
		if c.failed[p.UID] = err != nil; err != nil {
			return false, err
		}
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
}
