// Package backoff is another right solution of exercise 08.3: all delays there are in a table, made once, and counters
// in the place of a lock.
package backoff

import (
	"sync"
	"sync/atomic"
	"time"
)

// Backoff has a counter for each item that failed.
type Backoff[T comparable] struct {
	delays   []time.Duration // by the number of failures before; the last is max
	counters sync.Map        // of *atomic.Int64, by item
}

// New makes the table.
func New[T comparable](base, max time.Duration) *Backoff[T] {
	b := &Backoff[T]{}
	for delay := base; delay < max; delay *= 2 {
		b.delays = append(b.delays, delay)
		if delay > max/2 {
			break
		}
	}
	b.delays = append(b.delays, max)
	return b
}

// When counts, and looks up.
func (b *Backoff[T]) When(item T) time.Duration {
	counter, ok := b.counters.Load(item)
	if !ok {
		counter, _ = b.counters.LoadOrStore(item, new(atomic.Int64))
	}
	failure := counter.(*atomic.Int64).Add(1)
	return b.delays[min(failure, int64(len(b.delays)))-1]
}

// Forget drops the counter. A When that has it in hand was before this.
func (b *Backoff[T]) Forget(item T) { b.counters.Delete(item) }

// NumRequeues reads the counter.
func (b *Backoff[T]) NumRequeues(item T) int {
	if counter, ok := b.counters.Load(item); ok {
		return int(counter.(*atomic.Int64).Load())
	}
	return 0
}
