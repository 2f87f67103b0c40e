// Misconception: what is cut off the end of a slice is gone.
// Caught by: TestKeepsNothing
// Message: the belief that what is cut off the end of a slice is gone.

//go:build wrong

package backoff

import (
	"sync"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	mu    sync.Mutex
	index map[T]int
	slots []slot[T]
}

type slot[T comparable] struct {
	item     T
	failures int
}

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max, index: map[T]int{}}
}

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok := b.index[item]
	if !ok {
		n = len(b.slots)
		b.index[item] = n
		b.slots = append(b.slots, slot[T]{item: item})
	}
	failures := b.slots[n].failures
	b.slots[n].failures++
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}

func (b *Backoff[T]) Forget(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok := b.index[item]
	if !ok {
		return
	}
	delete(b.index, item)
	b.slots[n] = slot[T]{}
	last := len(b.slots) - 1
	if n != last { // the last one takes the free place
		b.slots[n] = b.slots[last]
		b.index[b.slots[n].item] = n
	}
	b.slots = b.slots[:last] // wrong: the array still has what was there
}

func (b *Backoff[T]) NumRequeues(item T) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n, ok := b.index[item]; ok {
		return b.slots[n].failures
	}
	return 0
}
