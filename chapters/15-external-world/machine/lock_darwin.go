package machine

import (
	"context"
	"time"
)

// await blocks until nobody holds a FIFO any more, or ctx has ended. It has to ask again and again: kqueue tells no
// reader of a FIFO that the last writer has gone (golang/go#24164).
func await(ctx context.Context, path string) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if held, err := lives(path); err != nil || !held {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
