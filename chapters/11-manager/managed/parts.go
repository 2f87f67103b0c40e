package managed

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Parts are what a manager can be given in place of its own. A function that is nil leaves it what it has.
type Parts struct {
	// NewInformer is cache.Options' field of that name.
	NewInformer func(cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer
	// NewQueue is controller.Options' field of that name.
	NewQueue func(string, workqueue.TypedRateLimiter[reconcile.Request]) Queue
}

// Queue is what is between a controller's handlers and its workers.
type Queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// Upstream is controller-runtime as it is: client-go's informer, and its own queue, which has priorities.
func Upstream() Parts { return Parts{} }
