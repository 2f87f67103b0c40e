// Breaks: Keep does not change b.
// Caught by: TestCapBelowBase
// Message: Base was 10s

//go:build wrong

package backoff

import (
	"context"
	"errors"
	"math"
	"time"
)

func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	if b.Base > b.Cap {
		b.Base = b.Cap // wrong: b is the caller's
	}
	next := b.Base
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if lasted >= b.Reset {
			next = b.Base
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
