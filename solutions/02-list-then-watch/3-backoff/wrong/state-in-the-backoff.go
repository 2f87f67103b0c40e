// Breaks: Several calls of Keep may use it, one after another and at the same time, and each begins with a first
// failure.
// Caught by: TestOneBackoffForSeveralCalls
// Message: the delays are [1s 2s 4s]

//go:build wrong

package backoff

import (
	"context"
	"errors"
	"math"
	"time"
)

// Backoff says how long to wait. Base, Cap and Reset are more than 0.
type Backoff struct {
	// Base is the delay after a first failure, Cap the longest delay.
	Base, Cap time.Duration
	// Rand returns a number in [0,1).
	Rand func() float64
	// Reset is how long a watch must have lasted for what comes after it to be a first failure again.
	Reset time.Duration

	next time.Duration
}

func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	if b.next == 0 {
		b.next = min(b.Base, b.Cap)
	}
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if lasted >= b.Reset {
			b.next = min(b.Base, b.Cap)
		}
		if err == nil && lasted >= AtOnce {
			continue
		}
		random := time.Duration(b.Rand() * float64(b.next))
		delay := b.next + min(random, math.MaxInt64-b.next)
		if b.next > b.Cap/2 { // twice as much is more than Cap, and may be more than a Duration holds
			b.next = b.Cap
		} else {
			b.next *= 2
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
