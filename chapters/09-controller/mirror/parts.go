package mirror

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Parts are what a controller is made of. All of them are set by [ClientGo] and by [Book]; any can be replaced by one
// that keeps the same promise.
type Parts struct {
	// Informer makes an informer that has not begun.
	Informer func(cache.ListerWatcher, runtime.Object, cache.Indexers) cache.SharedIndexInformer
	// Queue makes the queue between handlers and workers.
	Queue func(workqueue.TypedRateLimiter[Key]) workqueue.TypedRateLimitingInterface[Key]
	// Handler is [NewHandler].
	Handler func(Relations, func(Key)) cache.ResourceEventHandler
	// Reconcile is [Reconcile].
	Reconcile func(context.Context, Key, Reader, Writer) error
	// Work is [Work.Run].
	Work func(context.Context, Work) error
}

// ClientGo is this package's controller on client-go's informer and queue.
func ClientGo() Parts {
	return Parts{
		Informer: func(source cache.ListerWatcher, example runtime.Object,
			indexers cache.Indexers) cache.SharedIndexInformer {
			return cache.NewSharedIndexInformer(source, example, 0, indexers)
		},
		Queue: func(limiter workqueue.TypedRateLimiter[Key]) workqueue.TypedRateLimitingInterface[Key] {
			return workqueue.NewTypedRateLimitingQueueWithConfig(limiter,
				workqueue.TypedRateLimitingQueueConfig[Key]{Name: "mirror"})
		},
		Handler:   NewHandler,
		Reconcile: Reconcile,
		Work:      func(ctx context.Context, w Work) error { return w.Run(ctx) },
	}
}
