// Misconception: a process is asked once.
// Caught by: TestStopsThere
// Message: the belief that to ask once is enough

//go:build wrong

package cleanup

import (
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

func (c *Cleanup) end(p Process) error {
	if c.asked[p.UID] && time.Since(p.Deleted) < p.Grace {
		return nil
	}
	c.asked[p.UID] = true
	ask := c.World.Stop
	if time.Since(p.Deleted) >= p.Grace {
		ask = c.World.Kill
	}
	if err := ask(p.UID); !errors.Is(err, ErrEnded) {
		return err
	}
	return nil
}

type Cleanup struct {
	World World

	asked map[types.UID]bool
}

func New(w World) *Cleanup {
	return &Cleanup{World: w, asked: map[types.UID]bool{}}
}
