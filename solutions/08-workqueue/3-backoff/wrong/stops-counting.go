// Breaks: all of them, also those that returned max.
// Caught by: TestNumRequeuesCountsTheFailures
// Message: the belief that nobody asks how often an item has failed when it can't wait any longer.

//go:build wrong

package backoff

import "time"

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	failures := b.failures[item]
	if b.base > b.max>>failures {
		return b.max // wrong: it is not counted
	}
	b.failures[item]++
	return b.base << failures
}
