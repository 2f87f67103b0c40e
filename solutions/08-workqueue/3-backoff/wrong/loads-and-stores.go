// Misconception: to read a count and to write it one higher is one thing.
// Caught by: TestAtOnce
// Message: the belief that to read a count and to write it one higher is one thing.

//go:build wrong

package backoff

import (
	"runtime"
	"sync"
	"time"
)

type Backoff[T comparable] struct {
	base, max time.Duration

	failures sync.Map
}

func New[T comparable](base, max time.Duration) *Backoff[T] {
	return &Backoff[T]{base: base, max: max}
}

func (b *Backoff[T]) When(item T) time.Duration {
	failures := b.NumRequeues(item)
	runtime.Gosched()
	b.failures.Store(item, failures+1) // wrong: another may have stored the same
	if b.base > b.max>>failures {
		return b.max
	}
	return b.base << failures
}

func (b *Backoff[T]) Forget(item T) { b.failures.Delete(item) }

func (b *Backoff[T]) NumRequeues(item T) int {
	failures, _ := b.failures.Load(item)
	number, _ := failures.(int)
	return number
}
