// Package backoff keeps a watch alive without becoming a burden to the server.
package backoff

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Busy is the error of a watch that the server refused with 429.
type Busy struct {
	// RetryAfter is the time for which the server asks to be left alone.
	RetryAfter time.Duration
}

// Error says when to come again.
func (b *Busy) Error() string { return fmt.Sprintf("too many requests, try again in %v", b.RetryAfter) }

// AtOnce is how long a watch must last at least for its end to be no failure.
const AtOnce = time.Second

// Backoff says how long to wait. Base, Cap and Reset are more than 0.
type Backoff struct {
	// Base is the delay after a first failure, Cap the longest delay.
	Base, Cap time.Duration
	// Rand returns a number in [0,1).
	Rand func() float64
	// Reset is how long a watch must have lasted for what comes after it to be a first failure again.
	Reset time.Duration
}

// Keep calls watch again and again, until ctx ends.
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
		next := b.Cap
		if failures < 62 && b.Base < b.Cap>>failures {
			next = b.Base << failures
		}
		failures++
		delay := next + time.Duration(b.Rand()*float64(next))
		if delay < next { // overflown
			delay = math.MaxInt64
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
