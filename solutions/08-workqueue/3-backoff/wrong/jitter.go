// Breaks: after each further one twice as long as after the one before.
// Caught by: TestTwiceAsLongEachTime
// Message: Happened: it was a=1.

//go:build wrong

package backoff

import (
	"math/rand/v2"
	"time"
)

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	failures := b.failures[item]
	b.failures[item]++
	if b.base > b.max>>failures {
		return b.max
	}
	delay := b.base << failures
	return min(delay+1+rand.N(delay), b.max) // wrong: nobody asked for it
}
