package scenario

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// NewInformer is the type of cache.Options' field of that name.
type NewInformer = func(cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer

// Drained makes informers as inner does, or client-go's if that is nil, whose watches are read to their end when they
// are stopped. controller-runtime's watch of metadata passes a filter that has a goroutine, and that waits for ever for
// somebody to take an event which came while it was stopped. A program that ends does not mind. One that starts and
// stops managers has one goroutine more each time.
func Drained(inner NewInformer) NewInformer {
	if inner == nil {
		inner = cache.NewSharedIndexInformer
	}
	return func(from cache.ListerWatcher, example runtime.Object, resync time.Duration,
		indexers cache.Indexers) cache.SharedIndexInformer {
		if source, ok := from.(*cache.ListWatch); ok {
			drained := *source
			drained.WatchFuncWithContext = func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
				w, err := source.WatchFuncWithContext(ctx, o)
				if err != nil {
					return nil, err
				}
				return drainedWatch{w}, nil
			}
			from = &drained
		}
		return inner(from, example, resync, indexers)
	}
}

type drainedWatch struct{ watch.Interface }

// Stop implements watch.Interface.
func (w drainedWatch) Stop() {
	w.Interface.Stop()
	go func() {
		for range w.ResultChan() {
		}
	}()
}
