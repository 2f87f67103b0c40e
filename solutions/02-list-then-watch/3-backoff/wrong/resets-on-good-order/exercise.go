// Misconception: an end in good order shows that the server is well.
// Caught by: TestShortSuccess
// Message: the belief that an end in good order shows that the server is well

// Package backoff keeps a watch alive without becoming a burden to the server.
package backoff

import (
	"context"
	"errors"
	"fmt"
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

// Backoff says how long to wait.
type Backoff struct {
	// Base is the delay after the first failure. After each further one it is twice as long, and never
	// longer than Cap. To each delay comes a random part: the delay times what Rand returns, a number
	// in [0,1).
	Base, Cap time.Duration
	Rand      func() float64
	// Reset is how long a watch must have lasted for what comes after it to be a first failure again.
	Reset time.Duration
}

// Keep calls watch again and again, until ctx ends, and then returns. A call is one watch, from its
// opening to its end. It returns nil if the server ended the watch in good order, or else an error,
// which may be a *Busy. There is a delay after each failure. A watch that the server ended in good
// order is no failure and costs no delay, unless it lasted less than AtOnce.
func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	next := b.Base
	for ctx.Err() == nil {
		opened := time.Now()
		err := watch(ctx)
		lasted := time.Since(opened)
		if lasted >= b.Reset {
			next = b.Base
		}
		if err == nil && lasted >= AtOnce {
			next = b.Base
			continue
		}
		delay := next + time.Duration(b.Rand()*float64(next))
		next = min(2*next, b.Cap)
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
