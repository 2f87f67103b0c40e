package workqueue

import (
	"math/bits"
	"sync"
	"time"

	upstream "k8s.io/client-go/util/workqueue"
)

// failures counts for each item how often it has failed since it was last forgotten. Its zero value has no failures.
type failures[T comparable] struct {
	lock  sync.Mutex // guards count
	count map[T]int
}

// next counts one more, and says how many there were before.
func (f *failures[T]) next(item T) int {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.count == nil {
		f.count = map[T]int{}
	}
	before := f.count[item]
	f.count[item]++
	return before
}

// Forget begins anew for an item. Nothing is kept of one that is forgotten, and one that is not is kept for good.
func (f *failures[T]) Forget(item T) {
	f.lock.Lock()
	defer f.lock.Unlock()
	delete(f.count, item)
}

// NumRequeues says how often When was asked for an item since it was last forgotten.
func (f *failures[T]) NumRequeues(item T) int {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.count[item]
}

// Exponential has each item wait twice as long as the last time: base, twice base, four times base, up to a longest.
//
// Upstream: workqueue.TypedItemExponentialFailureRateLimiter, in util/workqueue/default_rate_limiters.go, which
// computes in floating point.
type Exponential[T comparable] struct {
	failures[T]
	base, longest time.Duration
}

var _ upstream.TypedRateLimiter[string] = &Exponential[string]{}

// NewExponential returns a limiter for each item by itself, that begins with base and ends with longest.
func NewExponential[T comparable](base, longest time.Duration) *Exponential[T] {
	return &Exponential[T]{base: base, longest: longest}
}

// When counts one failure more, and says how long to wait after it.
func (e *Exponential[T]) When(item T) time.Duration {
	doublings := e.next(item)
	if e.base <= 0 {
		return min(e.base, e.longest)
	}
	if doublings >= bits.LeadingZeros64(uint64(e.base)) {
		return e.longest // more than a duration can hold
	}
	return min(e.base<<doublings, e.longest)
}

// FastSlow has each item wait a short time for its first attempts, and a long one for each later one.
//
// Upstream: workqueue.TypedItemFastSlowRateLimiter.
type FastSlow[T comparable] struct {
	failures[T]
	fast, slow time.Duration
	attempts   int
}

var _ upstream.TypedRateLimiter[string] = &FastSlow[string]{}

// NewFastSlow returns a limiter for each item by itself: so many fast attempts, and slow ones from then on.
func NewFastSlow[T comparable](fast, slow time.Duration, attempts int) *FastSlow[T] {
	return &FastSlow[T]{fast: fast, slow: slow, attempts: attempts}
}

// When counts one failure more, and says how long to wait after it.
func (f *FastSlow[T]) When(item T) time.Duration {
	if f.next(item) < f.attempts {
		return f.fast
	}
	return f.slow
}
