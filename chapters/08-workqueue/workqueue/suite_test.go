package workqueue_test

import (
	"fmt"
	"testing"

	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
)

// layers are the constructors of the three layers, each of which takes the one beneath by its config.
type layers struct {
	queue        func(upstream.TypedQueueConfig[string]) upstream.TypedInterface[string]
	delaying     func(upstream.TypedDelayingQueueConfig[string]) upstream.TypedDelayingInterface[string]
	rateLimiting func(upstream.TypedRateLimiter[string],
		upstream.TypedRateLimitingQueueConfig[string]) upstream.TypedRateLimitingInterface[string]
}

var ours = layers{
	queue: func(c upstream.TypedQueueConfig[string]) upstream.TypedInterface[string] { return workqueue.New(c) },
	delaying: func(c upstream.TypedDelayingQueueConfig[string]) upstream.TypedDelayingInterface[string] {
		return workqueue.NewDelaying(c)
	},
	rateLimiting: func(l upstream.TypedRateLimiter[string],
		c upstream.TypedRateLimitingQueueConfig[string]) upstream.TypedRateLimitingInterface[string] {
		return workqueue.NewRateLimiting(l, c)
	},
}

var theirs = layers{
	queue: func(c upstream.TypedQueueConfig[string]) upstream.TypedInterface[string] {
		return upstream.NewTypedWithConfig(c)
	},
	delaying:     upstream.NewTypedDelayingQueueWithConfig[string],
	rateLimiting: upstream.NewTypedRateLimitingQueueWithConfig[string],
}

// build puts the layers on top of each other. It is a workqueuetest.New.
func (l layers) build(limiter upstream.TypedRateLimiter[string]) upstream.TypedRateLimitingInterface[string] {
	queue := l.queue(upstream.TypedQueueConfig[string]{})
	delaying := l.delaying(upstream.TypedDelayingQueueConfig[string]{Queue: queue})
	return l.rateLimiting(limiter, upstream.TypedRateLimitingQueueConfig[string]{DelayingQueue: delaying})
}

// TestSuite gives our queue to the suite as its constructor makes it, and with each of its layers ours or upstream's:
// whatever keeps what upstream's interfaces promise can be put beneath and on top.
func TestSuite(t *testing.T) {
	t.Run("by default", func(t *testing.T) {
		workqueuetest.Run(t, func(l upstream.TypedRateLimiter[string]) upstream.TypedRateLimitingInterface[string] {
			return workqueue.NewRateLimiting(l, upstream.TypedRateLimitingQueueConfig[string]{})
		})
	})
	names := map[bool]string{true: "ours", false: "upstream's"}
	for mixture := range 8 {
		queueIsOurs, delayingIsOurs, limitingIsOurs := mixture&1 == 0, mixture&2 == 0, mixture&4 == 0
		name := fmt.Sprintf("%s over %s over %s", names[limitingIsOurs], names[delayingIsOurs], names[queueIsOurs])
		t.Run(name, func(t *testing.T) {
			l := theirs
			if queueIsOurs {
				l.queue = ours.queue
			}
			if delayingIsOurs {
				l.delaying = ours.delaying
			}
			if limitingIsOurs {
				l.rateLimiting = ours.rateLimiting
			}
			workqueuetest.Run(t, l.build)
		})
	}
}
