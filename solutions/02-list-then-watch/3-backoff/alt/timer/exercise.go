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
	timer := time.NewTimer(0)
	defer timer.Stop()
	for next := b.Base; ; {
		if ctx.Err() != nil {
			return
		}
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if lasted >= b.Reset {
			next = b.Base
		}
		delay := time.Duration(0)
		if err != nil || lasted < AtOnce {
			delay = b.delay(next, err)
			next = twice(next)
		}
		timer.Reset(delay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
	}
}

// delay is how long to wait after a failure whose turn is this long.
func (b *Backoff) delay(turn time.Duration, err error) time.Duration {
	turn = min(turn, b.Cap)
	delay := saturated(float64(turn) + math.Floor(b.Rand()*float64(turn)))
	if busy, ok := errors.AsType[*Busy](err); ok {
		return max(delay, busy.RetryAfter)
	}
	return delay
}

func twice(d time.Duration) time.Duration { return saturated(2 * float64(d)) }

// saturated is the longest Duration for what does not fit into one.
func saturated(nanoseconds float64) time.Duration {
	if nanoseconds >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(nanoseconds)
}
