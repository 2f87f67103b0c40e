// Breaks: After a *Busy, also a wrapped one, RetryAfter takes the place of a sum that is shorter, even if it is longer
// than Cap.
// Caught by: TestRetryAfter
// Message: they were [30s

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
		if lasted >= b.Reset {
			next = min(b.Base, b.Cap)
		}
		if err == nil && lasted >= AtOnce {
			continue
		}
		base := next
		var busy *Busy
		if errors.As(err, &busy) {
			base = max(base, busy.RetryAfter)
		}
		delay := base + min(time.Duration(b.Rand()*float64(base)), math.MaxInt64-base)
		if next > b.Cap/2 { // twice as much is more than Cap, and may be more than a Duration holds
			next = b.Cap
		} else {
			next *= 2
		}
		select {
		case <-time.After(delay):
		case <-ctx.Done():
		}
	}
}
