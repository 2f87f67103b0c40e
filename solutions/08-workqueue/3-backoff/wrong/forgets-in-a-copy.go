// Misconception: what is changed in a struct that was read from a map is changed in the map.
// Caught by: TestForgetBeginsAnew
// Message: it was a=1s a=2s a=4s a- a=8s a=16s

//go:build wrong

package backoff

import (
	"sync"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	mu       sync.Mutex
	failures map[T]failures
}

type failures struct{ number int }

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max, failures: map[T]failures{}}
}

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.failures[item]
	b.failures[item] = failures{f.number + 1}
	if b.base > b.max>>f.number {
		return b.max
	}
	return b.base << f.number
}

func (b *Backoff[T]) Forget(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f, ok := b.failures[item]; ok {
		f.number = 0 // wrong: f is a copy
	}
}

func (b *Backoff[T]) NumRequeues(item T) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures[item].number
}
