// Misconception: to look for a count and to write the next one is one thing.
// Caught by: TestAtOnce
// Message: the belief that to look for a count and to write the next one is one thing.

//go:build wrong

package backoff

import (
	"runtime"
	"sync"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	mu       sync.RWMutex
	failures map[T]int
}

func (b *Backoff[T]) When(item T) time.Duration {
	failures := b.NumRequeues(item)
	runtime.Gosched()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures[item] = failures + 1 // wrong: another may have written the same
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}

func (b *Backoff[T]) NumRequeues(item T) int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.failures[item]
}
