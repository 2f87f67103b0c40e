// Misconception: the limit can be applied to the result of the power of two.
// Caught by: TestLongestDelay
// Message: the belief that a number may grow if its limit is applied afterwards

//go:build wrong

package backoff

import (
	"context"
	"errors"
	"time"
)

func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	failures := 0
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if lasted >= b.Reset {
			failures = 0
		}
		if err == nil && lasted >= AtOnce {
			continue
		}
		next := min(b.Base<<failures, b.Cap)
		failures++
		delay := next + time.Duration(b.Rand()*float64(next))
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
