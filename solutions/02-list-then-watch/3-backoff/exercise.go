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

// Keep calls watch again and again, until ctx ends, and then returns. A call is one watch, from its
// opening to its end. It returns nil if the server ended the watch in good order, or else an error,
// which may be a *Busy.
//
//   - There is one call at a time, and it gets a context that ends with ctx and,
//     while the call lasts, not before.
//   - When ctx has ended, watch is not called, not even once.
//   - When ctx ends during a delay, Keep returns at that moment; when it ends during a call, as soon as
//     watch has returned.
//   - Every error is a failure, however long the watch lasted. So is one that says that a context has
//     ended or that a deadline has passed, unless ctx has ended.
//   - A watch that returns nil after less than AtOnce is a failure, too.
//   - A watch that returns nil later is none: the next call follows without a delay.
//   - After a first failure the delay is Base, and after each further one twice the delay before.
//   - No delay is longer than Cap, not even the first, and it stays Cap however many failures follow and
//     however long Cap is.
//   - To each delay, also to one of Cap, comes a random part: the delay times a number that Rand returns
//     for this delay alone. A sum that is too long for a time.Duration is the longest one there is.
//   - After a *Busy, also a wrapped one, RetryAfter takes the place of a sum that is shorter, even if it
//     is longer than Cap. In all else a *Busy is a failure like others.
//   - After a watch that lasted Reset or longer the delays begin anew: its own failure is a first one, or
//     else the next failure is.
//   - Nothing else has the delays begin anew: no good end, no delay, no sum of several watches.
//   - Keep does not change b. Several calls of Keep may use it, one after another and at the same time,
//     and each begins with a first failure.
//   - When Keep returns, whatever it started has ended.
func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	//solution:begin
	//todo: wait between the calls: when, how long, and what if ctx ends in between?
	//stub: for ctx.Err() == nil {
	//stub: 	if watch(ctx) != nil {
	//stub: 		return
	//stub: 	}
	//stub: }
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
		random := time.Duration(b.Rand() * float64(next))
		delay := next + min(random, math.MaxInt64-next)
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
	//solution:end
}
