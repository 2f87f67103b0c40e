package managed

import (
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	ours "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/priorityqueue"
)

// Book is chapter 07's informer, and chapter 08's queue of three layers.
func Book() Parts {
	return Parts{NewInformer: informer.NewSharedIndexInformer,
		NewQueue: func(_ string, limiter workqueue.TypedRateLimiter[reconcile.Request]) Queue {
			return ours.NewRateLimiting(limiter, workqueue.TypedRateLimitingQueueConfig[reconcile.Request]{})
		}}
}

// BookPriority is chapter 07's informer, and chapter 08's queue with priorities. controller-runtime notices that it has
// them.
func BookPriority() Parts {
	return Parts{NewInformer: informer.NewSharedIndexInformer,
		NewQueue: func(_ string, limiter workqueue.TypedRateLimiter[reconcile.Request]) Queue {
			return priorityqueue.New(priorityqueue.Options[reconcile.Request]{RateLimiter: limiter})
		}}
}
