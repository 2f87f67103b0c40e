// Misconception: an int64 has 63 bits, so anything can be doubled 62 times.
// Caught by: TestHoweverManyFailures
// Message: base is 5ms and max 16m40s: after failure 42 the item waits for 16m40s

//go:build wrong

package backoff

import "time"

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	doublings := min(b.failures[item], 62) // wrong: base has bits of its own
	b.failures[item]++
	return min(b.base<<doublings, b.max)
}
