// Misconception: nobody needs a random part that is finer than a millisecond.
// Caught by: TestRandomPart
// Message: Happened: they were [1.123s 2.246s 4.493s]

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
		sum := delay + time.Duration(float64(delay.Milliseconds())*b.Rand())*time.Millisecond
		if sum < 0 {
			sum = math.MaxInt64
		}
		var busy *Busy
		if errors.As(err, &busy) {
			sum = max(sum, busy.RetryAfter)
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
