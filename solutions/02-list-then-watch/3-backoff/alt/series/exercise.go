// Package backoff keeps a watch alive without becoming a burden to the server.
package backoff

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
	delays, stop := iter.Pull(b.delays())
	defer func() { stop() }()
	for {
		select {
		case <-ctx.Done():
			return
		default:
		}
		began := time.Now()
		err := watch(ctx)
		lasted := time.Since(began)
		if lasted >= b.Reset {
			stop()
			delays, stop = iter.Pull(b.delays())
		}
		if err == nil && lasted >= AtOnce {
			continue
		}
		delay, _ := delays()
		var busy *Busy
		if errors.As(err, &busy) && busy.RetryAfter > delay {
			delay = busy.RetryAfter
		}
		wait, cancel := context.WithTimeout(ctx, delay)
		<-wait.Done()
		cancel()
	}
}

// delays is the series of delays from a first failure on.
func (b *Backoff) delays() iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for next := b.Base; ; next += min(next, math.MaxInt64-next) {
			d := min(next, b.Cap)
			random := time.Duration(b.Rand() * float64(d))
			if !yield(d + min(random, math.MaxInt64-d)) {
				return
			}
		}
	}
}
