// Misconception: the failure that is being counted has doubled something already.
// Caught by: TestTwiceAsLongEachTime
// Message: the belief that the failure that is being counted has doubled something already.

//go:build wrong

package backoff

import "time"

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures[item]++
	failures := b.failures[item] // wrong: this one, too
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}
