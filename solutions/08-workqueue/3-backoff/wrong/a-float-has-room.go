// Misconception: a float64 has room for each int64.
// Caught by: TestHoweverManyFailures
// Message: the belief that a float64 has room for each int64.

//go:build wrong

package backoff

import (
	"math"
	"time"
)

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	delay := float64(b.base) * math.Pow(2, float64(b.failures[item]))
	b.failures[item]++
	if delay > float64(b.max) { // wrong: float64(b.max) may be more than b.max
		return b.max
	}
	return time.Duration(delay)
}
