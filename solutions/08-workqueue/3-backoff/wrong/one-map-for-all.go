// Breaks: Two Backoffs share nothing.
// Caught by: TestBackoffsShareNothing
// Message: it was a=1s a=2s, a?2 a=3h0m0s

//go:build wrong

package backoff

import (
	"sync"
	"time"
)

var (
	mu       sync.Mutex
	failures map[any]int // wrong: of the Backoff that was made last
)

type Backoff[T comparable] struct{ base, max time.Duration }

func New[T comparable](base, max time.Duration) *Backoff[T] {
	mu.Lock()
	defer mu.Unlock()
	failures = map[any]int{}
	return &Backoff[T]{base: base, max: max}
}

func (b *Backoff[T]) When(item T) time.Duration {
	mu.Lock()
	defer mu.Unlock()
	before := failures[item]
	failures[item]++
	if b.base > b.max>>before {
		return b.max
	}
	return b.base << before
}

func (b *Backoff[T]) Forget(item T) {
	mu.Lock()
	defer mu.Unlock()
	delete(failures, item)
}

func (b *Backoff[T]) NumRequeues(item T) int {
	mu.Lock()
	defer mu.Unlock()
	return failures[item]
}
