// Breaks: It is never longer than max.
// Caught by: TestNeverLongerThanMax
// Message: the belief that what was not doubled can't be too long

//go:build wrong

package backoff

import "time"

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	failures := b.failures[item]
	b.failures[item]++
	if failures > 0 && b.base > b.max>>failures { // wrong: base is not looked at
		return b.max
	}
	return b.base << failures
}
