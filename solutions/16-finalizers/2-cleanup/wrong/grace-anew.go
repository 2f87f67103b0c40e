// Misconception: the time runs from the Stop on.
// Caught by: TestWhoCounts
// Message: the belief that the Grace begins when a controller asks

//go:build wrong

package cleanup

import (
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

func (c *Cleanup) end(p Process) error {
	ask := c.World.Stop
	if c.asked[p.UID].IsZero() {
		c.asked[p.UID] = time.Now()
	}
	if time.Since(c.asked[p.UID]) >= p.Grace {
		ask = c.World.Kill
	}
	if err := ask(p.UID); !errors.Is(err, ErrEnded) {
		return err
	}
	return nil
}

type Cleanup struct {
	World World

	asked map[types.UID]time.Time
}

func New(w World) *Cleanup {
	return &Cleanup{World: w, asked: map[types.UID]time.Time{}}
}
