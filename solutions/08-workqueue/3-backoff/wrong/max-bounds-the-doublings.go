// Misconception: every delay is base, doubled so and so often.
// Caught by: TestNeverLongerThanMax
// Message: the belief that every delay is base, doubled so and so often.

//go:build wrong

package backoff

import "time"

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	failures := b.failures[item]
	b.failures[item]++
	if b.base > b.max {
		return b.max
	}
	for failures > 0 && b.base > b.max>>failures {
		failures-- // wrong: so it stays below max
	}
	return b.base << failures
}
