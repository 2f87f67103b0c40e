package kindcluster

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

func (c *Cluster) lock(ctx context.Context) (unlock func(), err error) {
	file := flock.New(filepath.Join(c.state(), c.Name+".lock"))
	ok, err := file.TryLock()
	if err == nil && !ok {
		fmt.Fprintf(c.out, "Another command works on kind cluster %s; waiting for it to end.\n", c.Name)
		ok, err = file.TryLockContext(ctx, 200*time.Millisecond)
	}
	if err != nil || !ok {
		return nil, fmt.Errorf("waiting for the other command that works on cluster %s: %w", c.Name, err)
	}
	return func() { _ = file.Unlock() }, nil
}
