// Breaks: Nothing else has the delays begin anew: no good end, no delay, no sum of several watches.
// Caught by: TestNothingElseStartsAnew
// Message: they were [1s 2s 0s 0s 0s 1s]

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
	worked := time.Duration(0)
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if worked += lasted; worked >= b.Reset {
			worked = 0
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
		select {
		case <-time.After(delay):
		case <-ctx.Done():
		}
	}
}
