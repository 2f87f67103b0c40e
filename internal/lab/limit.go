package lab

import (
	"context"
	"time"
)

// limitEvery is how often the time of a step is looked at.
const limitEvery = 250 * time.Millisecond

// withLimit returns a context that ends with cause after that much time in which the process ran. The time in which it
// was stopped (Ctrl-Z) or the machine slept does not count: nothing can come then.
func withLimit(ctx context.Context, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(limitEvery)
		defer tick.Stop()
		for ran := time.Duration(0); ran < limit; ran += limitEvery { // a ticker drops the ticks that nobody took
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
		cancel(cause)
	}()
	return ctx, func() { cancel(nil) }
}
