package workqueue

import upstream "k8s.io/client-go/util/workqueue"

// RateLimitingQueue is a queue to which items can be added when a limiter says so. Only AddRateLimited asks the
// limiter: Add and AddAfter are as fast as before.
//
// Upstream: rateLimitingType, in util/workqueue/rate_limiting_queue.go.
type RateLimitingQueue[T comparable] struct {
	upstream.TypedDelayingInterface[T]
	limiter upstream.TypedRateLimiter[T]
}

var _ upstream.TypedRateLimitingInterface[string] = &RateLimitingQueue[string]{}

// NewRateLimiting returns a queue with a limiter. All fields of the config may be left out; DelayingQueue, to which it
// adds, is [NewDelaying]'s by default.
//
// Upstream: workqueue.NewTypedRateLimitingQueueWithConfig.
func NewRateLimiting[T comparable](limiter upstream.TypedRateLimiter[T],
	config upstream.TypedRateLimitingQueueConfig[T]) *RateLimitingQueue[T] {
	if config.DelayingQueue == nil {
		config.DelayingQueue = NewDelaying(upstream.TypedDelayingQueueConfig[T]{Name: config.Name,
			MetricsProvider: config.MetricsProvider, Clock: config.Clock})
	}
	return &RateLimitingQueue[T]{TypedDelayingInterface: config.DelayingQueue, limiter: limiter}
}

// AddRateLimited counts a failure of an item, and adds it when the limiter says so.
func (q *RateLimitingQueue[T]) AddRateLimited(item T) { q.AddAfter(item, q.limiter.When(item)) }

// Forget has the limiter begin anew for an item, because it succeeded or was given up. An add that waits already is not
// taken back, and Done is still to be called.
func (q *RateLimitingQueue[T]) Forget(item T) { q.limiter.Forget(item) }

// NumRequeues says how often the item failed since it was last forgotten.
func (q *RateLimitingQueue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }
