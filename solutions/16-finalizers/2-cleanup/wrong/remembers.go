// Misconception: a controller knows what it has done.
// Caught by: TestAnotherController
// Message: the belief that a controller knows what it has done

//go:build wrong

package cleanup

import "k8s.io/apimachinery/pkg/types"

type Cleanup struct {
	World World

	kept map[types.UID]bool
}

func New(w World) *Cleanup {
	return &Cleanup{World: w, kept: map[types.UID]bool{}}
}

func (c *Cleanup) Run(p Process) (done bool, err error) {
	state, err := c.World.Look(p.UID)
	if err != nil || state == Nothing {
		return err == nil, err
	}
	if state == Running {
		return false, c.end(p)
	}
	if _, err := c.World.Kept(p.UID); err != nil {
		return false, err
	}
	if !c.kept[p.UID] {
		if err := c.keep(p.UID); err != nil {
			return false, err
		}
		c.kept[p.UID] = true
	}
	if err := c.World.Forget(p.UID); err != nil {
		return false, err
	}
	return true, nil
}
