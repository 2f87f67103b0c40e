// Misconception: the delays begin anew when nothing has failed for a while.
// Caught by: TestRetryAfter
// Message: the belief that time without a failure is time that the server was well

//go:build wrong

package backoff

import (
	"context"
	"errors"
	"math"
	"time"
)

func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	next := min(b.Base, b.Cap)
	var failed time.Time
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if time.Since(failed) >= b.Reset {
			next = min(b.Base, b.Cap)
		}
		if err == nil && lasted >= AtOnce {
			continue
		}
		random := time.Duration(b.Rand() * float64(next))
		delay := next + min(random, math.MaxInt64-next)
		if next > b.Cap/2 { // twice as much is more than Cap, and may be more than a Duration holds
			next = b.Cap
		} else {
			next *= 2
		}
		var busy *Busy
		if errors.As(err, &busy) {
			delay = max(delay, busy.RetryAfter)
		}
		failed = time.Now()
		select {
		case <-time.After(delay):
		case <-ctx.Done():
		}
	}
}
