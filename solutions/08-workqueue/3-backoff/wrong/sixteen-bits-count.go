// Breaks: All this is true of any number of failures
// Caught by: TestNumRequeuesCountsTheFailures
// Message: after 70000 failures NumRequeues returns 70000

//go:build wrong

package backoff

import (
	"math"
	"sync"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	mu       sync.Mutex
	failures map[T]uint16
}

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max, failures: map[T]uint16{}}
}

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	failures := b.failures[item]
	if failures < math.MaxUint16 { // wrong: enough for any delay, but not for who asks
		b.failures[item]++
	}
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}

func (b *Backoff[T]) NumRequeues(item T) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int(b.failures[item])
}
