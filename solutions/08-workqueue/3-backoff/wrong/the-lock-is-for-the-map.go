// Misconception: a lock that guards a map guards what its pointers point to.
// Caught by: TestAtOnce
// Message: there was a data race between

//go:build wrong

package backoff

import (
	"sync"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	mu    sync.Mutex
	items map[T]*failures
}

type failures struct{ number int }

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max, items: map[T]*failures{}}
}

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.items[item] == nil {
		b.items[item] = &failures{}
	}
	failures := b.items[item].number
	b.items[item].number++
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}

func (b *Backoff[T]) Forget(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.items, item)
}

func (b *Backoff[T]) NumRequeues(item T) int {
	b.mu.Lock()
	f := b.items[item]
	b.mu.Unlock()
	if f == nil {
		return 0
	}
	return f.number // wrong: When may be counting
}
