// Misconception: A watch ends in good order with an io.EOF, as a body does.
// Caught by: TestEveryErrorIsAFailure
// Message: the belief that io.EOF is an end in good order

//go:build wrong

package backoff

import (
	"context"
	"errors"
	"io"
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
		if errors.Is(err, io.EOF) {
			err = nil // wrong: a watch that ended in good order returns none
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
}
