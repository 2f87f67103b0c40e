// Misconception: what is too long for an int64 can be told by its sign.
// Caught by: TestHoweverManyFailures
// Message: the belief that what is too long for an int64 can be told by its sign.

//go:build wrong

package backoff

import "time"

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	delay := b.base << b.failures[item]
	b.failures[item]++
	if delay > b.max || delay <= 0 { // wrong: it may be positive again
		return b.max
	}
	return delay
}
