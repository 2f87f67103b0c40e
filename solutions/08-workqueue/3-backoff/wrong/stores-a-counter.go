// Breaks: and each call of When counts.
// Caught by: TestAtOnce
// Message: 2 failures of each count

//go:build wrong

package backoff

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	counters sync.Map // of *atomic.Int64, by item
}

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max}
}

func (b *Backoff[T]) When(item T) time.Duration {
	counter, ok := b.counters.Load(item)
	if !ok {
		counter = new(atomic.Int64)
		runtime.Gosched()
		b.counters.Store(item, counter) // wrong: another may have stored one
	}
	failures := counter.(*atomic.Int64).Add(1) - 1
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}

func (b *Backoff[T]) Forget(item T) { b.counters.Delete(item) }

func (b *Backoff[T]) NumRequeues(item T) int {
	if counter, ok := b.counters.Load(item); ok {
		return int(counter.(*atomic.Int64).Load())
	}
	return 0
}
