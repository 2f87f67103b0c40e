package kind

import (
	"context"
	"fmt"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
)

// lock lets one command at a time work on the cluster; the others wait, and say that they do.
func (c *Cluster) lock(ctx context.Context) (unlock func(), err error) {
	var once sync.Once
	held, err := filelock.Wait(ctx, c.kept("lock"), func(string) {
		once.Do(func() {
			fmt.Fprintf(c.out, "Another command works on kind cluster %s; waiting for it to end.\n", c.Name)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("waiting for the other command that works on cluster %s: %w", c.Name, err)
	}
	return func() { _ = held.Unlock() }, nil
}
