// Breaks: After a watch that lasted Reset or longer the delays begin anew: its own failure is a first one, or else the
// next
// failure is.
// Caught by: TestStartsAnew
// Message: then a watch ends in good order after 5s, then a watch fails at once, 2 times; the delays are [1s 2s 4s 8s
// 0s 0s 1s
// 2s]

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
	well := time.Duration(0) // how long the last watch lasted that ended in good order
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if err == nil && lasted >= AtOnce {
			well = lasted // wrong: one before may have been longer
			continue
		}
		if max(well, lasted) >= b.Reset {
			next = min(b.Base, b.Cap)
		}
		well = 0
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
