// Misconception: whatever is too long for max is also found to be longer than max.
// Caught by: TestHoweverManyFailures
// Message: the belief that whatever is too long for max is also found to be longer than max.

//go:build wrong

package backoff

import "time"

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	delay := b.base << b.failures[item]
	b.failures[item]++
	if delay > b.max { // wrong: what is too long for an int64 is negative
		return b.max
	}
	return delay
}
