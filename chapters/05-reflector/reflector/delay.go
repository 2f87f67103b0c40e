package reflector

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"
)

const (
	// quietEnough is how long there must be no failure for the next to count as the first again.
	quietEnough = 2 * time.Minute
	// longestRetryAfter is the most that a server's Retry-After is heeded. A watch can go on from what is in the window
	// of the server's watch cache: whoever stays away for longer mostly finds the version to resume from gone.
	longestRetryAfter = 5 * time.Minute
)

// delays says how long to wait after each failure: longer each time, up to a limit, and at random, so that the clients
// of a server that comes back do not all arrive at once.
//
// Upstream: wait.Backoff.DelayWithReset, which starts anew 2 minutes after its last start, also while everything fails.
type delays struct {
	clock   clock.Clock
	fresh   wait.Backoff
	current wait.Backoff
	until   time.Time // when the last delay ended
}

func newDelays(c clock.Clock, b wait.Backoff) delays {
	return delays{clock: c, fresh: b, current: b, until: c.Now()}
}

// next is the delay after a failure that happens now, and at least what the error says of Retry-After.
func (d *delays) next(err error) time.Duration {
	now := d.clock.Now()
	if now.Sub(d.until) > quietEnough {
		d.current = d.fresh
	}
	delay := d.current.Step()
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		delay = max(delay, min(time.Duration(seconds)*time.Second, longestRetryAfter))
	}
	d.until = now.Add(delay)
	return delay
}

// sleep waits and returns true, or returns false as soon as ctx has ended. Whoever has waited is not asked for ctx: it
// may have ended since the time was over.
func (r *Reflector) sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := r.options.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C():
		return true
	}
}
