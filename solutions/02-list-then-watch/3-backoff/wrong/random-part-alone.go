// Misconception: the delay itself is drawn at random, from nothing to its full length.
// Caught by: TestDelaysGrow
// Message: the belief that the random part replaces the delay

//go:build wrong

package backoff

import (
	"context"
	"errors"
	"time"
)

func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	next := min(b.Base, b.Cap)
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if lasted >= b.Reset {
			next = min(b.Base, b.Cap)
		}
		if err == nil && lasted >= AtOnce {
			continue
		}
		delay := time.Duration(b.Rand() * float64(next))
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
