// Misconception: to ask changes nothing.
// Caught by: TestKeepsNothing
// Message: the belief that to ask changes nothing.

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

// of finds an item, or makes it. wrong: also for who only asks.
func (b *Backoff[T]) of(item T) *failures {
	f, ok := b.items[item]
	if !ok {
		f = &failures{}
		b.items[item] = f
	}
	return f
}

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.of(item)
	failures := f.number
	f.number++
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
	defer b.mu.Unlock()
	return b.of(item).number
}
