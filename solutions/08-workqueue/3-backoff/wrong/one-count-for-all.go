// Misconception: it is the worker that fails.
// Caught by: TestEachItemForItself
// Message: the belief that it is the worker that fails.

//go:build wrong

package backoff

import (
	"sync"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	mu       sync.Mutex
	failures int // wrong: of whatever item
}

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max}
}

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	failures := b.failures
	b.failures++
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}

func (b *Backoff[T]) Forget(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures = 0
}

func (b *Backoff[T]) NumRequeues(item T) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures
}
