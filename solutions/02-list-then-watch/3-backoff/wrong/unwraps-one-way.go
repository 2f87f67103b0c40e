// Misconception: an error wraps one other, and errors.Unwrap goes down to it.
// Caught by: TestRetryAfter
// Message: connection refused, and then too many requests, try again in 20s

//go:build wrong

package backoff

import (
	"context"
	"errors"
	"math"
	"time"
)

func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	var delay time.Duration // after the latest failure; 0 if the next one is a first one
	for ctx.Err() == nil {
		start := time.Now()
		err := watch(ctx)
		lasted := time.Since(start)
		if lasted >= b.Reset {
			delay = 0
		}
		if err == nil && lasted >= AtOnce {
			continue
		}
		switch {
		case delay == 0:
			delay = min(b.Base, b.Cap)
		case delay > b.Cap/2:
			delay = b.Cap
		default:
			delay *= 2
		}
		sum := delay + time.Duration(float64(delay)*b.Rand())
		if sum < 0 {
			sum = math.MaxInt64
		}
		for cause := err; cause != nil; cause = errors.Unwrap(cause) {
			if busy, ok := cause.(*Busy); ok {
				sum = max(sum, busy.RetryAfter)
				break
			}
		}
		timer := time.NewTimer(sum)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}
