package workqueue

import (
	"time"

	"golang.org/x/time/rate"
	upstream "k8s.io/client-go/util/workqueue"
)

// DefaultLimiter returns what most controllers on client-go use: each item waits 5 ms after its first failure and twice
// as long after each further one, up to 1000 s; and all items together may fail a hundred times at once, and ten times
// a second in the long run.
//
// Upstream: workqueue.DefaultTypedControllerRateLimiter, in util/workqueue/default_rate_limiters.go. What
// controller-runtime uses by default has no limit for all items together.
func DefaultLimiter[T comparable]() upstream.TypedRateLimiter[T] {
	return NewMaxOf(NewExponential[T](5*time.Millisecond, 1000*time.Second), NewBucket[T](rate.NewLimiter(10, 100)))
}

// Bucket limits all items together: it has so many tokens, gets new ones at a steady rate, and who finds none waits for
// the next that nobody else waits for.
//
// Upstream: workqueue.TypedBucketRateLimiter.
type Bucket[T comparable] struct{ tokens *rate.Limiter }

// NewBucket returns a limiter for all items together.
func NewBucket[T comparable](tokens *rate.Limiter) *Bucket[T] { return &Bucket[T]{tokens: tokens} }

// When takes a token, and says how long it is until that token is there.
func (b *Bucket[T]) When(T) time.Duration { return b.tokens.Reserve().Delay() }

// Forget does nothing: a token that was taken is not given back.
func (b *Bucket[T]) Forget(T) {}

// NumRequeues is 0: a bucket knows no items.
func (b *Bucket[T]) NumRequeues(T) int { return 0 }

// MaxOf asks several limiters, and each counts. The longest delay holds.
//
// Upstream: workqueue.TypedMaxOfRateLimiter.
type MaxOf[T comparable] struct {
	limiters []upstream.TypedRateLimiter[T]
}

// NewMaxOf returns a limiter that is as slow as the slowest of limiters.
func NewMaxOf[T comparable](limiters ...upstream.TypedRateLimiter[T]) *MaxOf[T] {
	return &MaxOf[T]{limiters: limiters}
}

// When is the longest delay of all.
func (m *MaxOf[T]) When(item T) time.Duration {
	var longest time.Duration
	for _, l := range m.limiters {
		longest = max(longest, l.When(item)) // each is asked, since each counts
	}
	return longest
}

// Forget has all of them forget the item.
func (m *MaxOf[T]) Forget(item T) {
	for _, l := range m.limiters {
		l.Forget(item)
	}
}

// NumRequeues is the highest number of all.
func (m *MaxOf[T]) NumRequeues(item T) int {
	highest := 0
	for _, l := range m.limiters {
		highest = max(highest, l.NumRequeues(item))
	}
	return highest
}

// MaxWait is another limiter that says at most so much.
//
// Upstream: workqueue.TypedWithMaxWaitRateLimiter.
type MaxWait[T comparable] struct {
	upstream.TypedRateLimiter[T]
	longest time.Duration
}

// NewMaxWait returns limiter, with no delay above longest.
func NewMaxWait[T comparable](limiter upstream.TypedRateLimiter[T], longest time.Duration) *MaxWait[T] {
	return &MaxWait[T]{TypedRateLimiter: limiter, longest: longest}
}

// When is what the other one says, or the longest.
func (m *MaxWait[T]) When(item T) time.Duration { return min(m.TypedRateLimiter.When(item), m.longest) }
