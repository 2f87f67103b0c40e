package mirror

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
)

// Book is this package's controller on chapter 07's informer and chapter 08's queue.
func Book() Parts {
	parts := ClientGo()
	parts.Informer = func(source cache.ListerWatcher, example runtime.Object,
		indexers cache.Indexers) cache.SharedIndexInformer {
		return informer.NewSharedIndexInformer(source, example, 0, indexers)
	}
	parts.Queue = func(limiter upstream.TypedRateLimiter[Key]) upstream.TypedRateLimitingInterface[Key] {
		return workqueue.NewRateLimiting(limiter, upstream.TypedRateLimitingQueueConfig[Key]{})
	}
	return parts
}
