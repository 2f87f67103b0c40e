// Package backoff is another right solution of exercise 08.3: the delay is computed as upstream does it, as a float64
// that is too large for an int64 sooner or later, and infinite in the end. What has no room in its 53 bits is rounded
// to whole seconds.
package backoff

import (
	"math"
	"sync"
	"time"
)

// Backoff remembers the last failure of each item.
type Backoff[T comparable] struct {
	base, max time.Duration

	lock  sync.RWMutex // guards items, and not what is in it: that does not change
	items map[T]failure
}

type failure struct {
	number int
	delay  time.Duration
}

// New makes a Backoff.
func New[T comparable](base, max time.Duration) *Backoff[T] { return &Backoff[T]{base: base, max: max} }

// When replaces the last failure.
func (b *Backoff[T]) When(item T) time.Duration {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.items == nil {
		b.items = make(map[T]failure)
	}
	last := b.items[item]
	next := failure{number: last.number + 1, delay: b.max}
	if delay := math.Ldexp(float64(b.base), last.number); delay < float64(b.max) { // so it fits into an int64
		next.delay = time.Duration(delay)
		if next.delay > 100*24*time.Hour {
			next.delay = next.delay.Round(time.Second)
		}
		next.delay = min(next.delay, b.max)
	}
	b.items[item] = next
	return next.delay
}

// Forget drops the last failure.
func (b *Backoff[T]) Forget(item T) {
	b.lock.Lock()
	defer b.lock.Unlock()
	delete(b.items, item)
}

// NumRequeues is the number of the last failure.
func (b *Backoff[T]) NumRequeues(item T) int {
	b.lock.RLock()
	defer b.lock.RUnlock()
	return b.items[item].number
}
