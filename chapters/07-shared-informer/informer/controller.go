package informer

import (
	"context"
	"errors"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
)

// controller has a reflector fill a queue, and processes what comes out of it.
//
// Upstream: controller, in tools/cache/controller.go.
type controller struct {
	config    cache.Config
	reflector *reflector.Reflector
}

// NewController makes a cache.Controller that has not begun: between the two ends of a queue, a reflector, and a loop
// that pops. An error of Process is logged, and does not end the loop.
//
// Upstream: cache.New, in tools/cache/controller.go, whose loop drops the errors.
func NewController(config *cache.Config) cache.Controller {
	return newController(config, nil, reflector.Parts{})
}

func newController(config *cache.Config, clock clock.Clock, pieces reflector.Parts) *controller {
	c := &controller{config: *config}
	onError := config.WatchErrorHandlerWithContext
	if config.WatchErrorHandler != nil {
		onError = withoutContext(config.WatchErrorHandler)
	}
	var expected any // a runtime.Object that is nil would be an any that is not
	if config.ObjectType != nil {
		expected = config.ObjectType
	}
	c.reflector = reflector.New(config.ListerWatcher, expected, config.Queue, reflector.Options{
		TypeDescription:   config.ObjectDescription,
		ResyncPeriod:      config.FullResyncPeriod,
		ShouldResync:      config.ShouldResync,
		PageSize:          config.WatchListPageSize,
		MinWatchTimeout:   config.MinWatchTimeout,
		WatchErrorHandler: onError,
		Clock:             clock,
		Parts:             pieces,
	})
	return c
}

// Run is RunWithContext with a channel that is closed to stop.
func (c *controller) Run(stop <-chan struct{}) { c.RunWithContext(wait.ContextForChannel(stop)) }

// RunWithContext fills and empties the queue until ctx ends, and closes it. It returns when the reflector has, and
// Process. A panic of Process is logged and comes out of it at once, unless that was turned off
// (utilruntime.ReallyCrash): then what was being processed is skipped, and the next comes a second later.
func (c *controller) RunWithContext(ctx context.Context) {
	defer utilruntime.HandleCrashWithContext(ctx)
	var others sync.WaitGroup
	others.Go(func() { <-ctx.Done(); c.config.Queue.Close() })
	others.Go(func() { c.reflector.RunWithContext(ctx) })
	// The loop ends with the context. The second is for a panic of Process, where that does not end the program.
	wait.UntilWithContext(ctx, c.empty, time.Second)
	others.Wait() // not deferred: they end with the context alone, and would keep a panic back
}

// empty processes what is in the queue and what comes into it, until the queue is closed.
//
// Upstream: processLoop.
func (c *controller) empty(ctx context.Context) {
	pop := func() error {
		_, err := c.config.Queue.Pop(cache.PopProcessFunc(c.config.Process))
		return err
	}
	if queue, ok := c.config.Queue.(cache.QueueWithBatch); ok && c.config.ProcessBatch != nil {
		pop = func() error {
			return queue.PopBatch(c.config.ProcessBatch, cache.PopProcessFunc(c.config.Process))
		}
	}
	for ctx.Err() == nil {
		err := pop()
		if errors.Is(err, cache.ErrFIFOClosed) {
			return
		}
		if err != nil {
			klog.FromContext(ctx).Error(err, "A change was not taken in; the store stays behind until the object changes again")
		}
	}
}

// HasSynced says whether the first list has been processed.
func (c *controller) HasSynced() bool { return c.config.Queue.HasSynced() }

// HasSyncedChecker is done when HasSynced is true.
func (c *controller) HasSyncedChecker() cache.DoneChecker { return c.config.Queue.HasSyncedChecker() }

// LastSyncResourceVersion is the reflector's.
func (c *controller) LastSyncResourceVersion() string { return c.reflector.LastSyncResourceVersion() }
