// Misconception: an item of which nothing is heard is well.
// Caught by: TestTimeChangesNothing
// Message: the belief that an item of which nothing is heard is well.

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

type failures struct {
	number int
	last   time.Time
}

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max, failures: map[T]failures{}}
}

func (b *Backoff[T]) When(item T) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.failures[item]
	if time.Since(f.last)/2 > b.max {
		f.number = 0 // wrong: as k8s.io/client-go/util/flowcontrol.Backoff does
	}
	b.failures[item] = failures{f.number + 1, time.Now()}
	if b.base > b.max>>f.number {
		return b.max
	}
	return b.base << f.number
}

func (b *Backoff[T]) NumRequeues(item T) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures[item].number
}
