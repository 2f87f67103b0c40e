// Breaks: Only what is longer than a hundred days may be rounded
// Caught by: TestTwiceAsLongEachTime
// Message: the belief that a duration is the same when it was turned into seconds and back.

//go:build wrong

package backoff

import (
	"math"
	"time"
)

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	seconds := math.Ldexp(b.base.Seconds(), b.failures[item])
	b.failures[item]++
	if seconds >= b.max.Seconds() {
		return b.max
	}
	return min(time.Duration(seconds*float64(time.Second)), b.max) // wrong: that may be a nanosecond less
}
