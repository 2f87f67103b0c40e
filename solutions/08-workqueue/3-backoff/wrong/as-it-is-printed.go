// Breaks: Two items are one if == says so.
// Caught by: TestEachItemForItself
// Message: any value is an item.

//go:build wrong

package backoff

import (
	"fmt"
	"sync"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	mu       sync.Mutex
	failures map[string]int
}

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max, failures: map[string]int{}}
}

// key is how an item is printed. wrong: that is not what == looks at.
func key[T comparable](item T) string { return fmt.Sprintf("%T %#v", item, item) }

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	failures := b.failures[key(item)]
	b.failures[key(item)]++
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}

func (b *Backoff[T]) Forget(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.failures, key(item))
}

func (b *Backoff[T]) NumRequeues(item T) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures[key(item)]
}
