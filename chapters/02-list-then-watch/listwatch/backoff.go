package listwatch

import (
	"math"
	"time"
)

// Backoff is how long to wait after a failure: longer after each, up to a limit, and at random, so
// that the clients of a server that comes back do not all arrive at once. It is used by one
// goroutine. Upstream: wait.Backoff with DelayWithReset, set up as in cache.NewReflectorWithOptions.
type Backoff struct {
	// Base is the first delay, Cap the longest. Up to the same time again is added at random.
	Base, Cap time.Duration
	// Reset is how long there must be no failure for the next to count as the first again. A request
	// that succeeds is not enough: a server can accept a watch and end it at once, for ever.
	Reset time.Duration
	// Rand returns a number in [0,1).
	Rand func() float64

	delay time.Duration
	last  time.Time
}

// Next returns the delay after a failure that happens now.
func (b *Backoff) Next(now time.Time) time.Duration {
	if now.Sub(b.last) > b.Reset {
		b.delay = min(b.Base, b.Cap)
	}
	b.last = now
	delay := b.delay
	if b.delay > b.Cap/2 { // doubled it would be over Cap, and of a very large Cap negative
		b.delay = b.Cap
	} else {
		b.delay *= 2
	}
	jitter := time.Duration(b.Rand() * float64(delay))
	return delay + min(jitter, math.MaxInt64-delay)
}
