// Breaks: After a watch that lasted Reset or longer the delays begin anew: its own failure is a first one, or else the
// next failure is.
// Caught by: TestStartsAnew
// Message: they were [1s 2s 4s 8s 16s 1s]

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
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if err == nil && lasted >= AtOnce {
			if lasted >= b.Reset {
				next = min(b.Base, b.Cap)
			}
			continue
		}
		random := time.Duration(b.Rand() * float64(next))
		delay := next + min(random, math.MaxInt64-next)
		if next > b.Cap/2 { // twice as much is more than Cap, and may be more than a Duration holds
			next = b.Cap
		} else {
			next *= 2
		}
		if lasted >= b.Reset {
			next = min(b.Base, b.Cap)
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
