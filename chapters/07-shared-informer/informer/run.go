package informer

import (
	"context"
	"fmt"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// Run is RunWithContext with a channel that is closed to stop.
func (s *SharedIndexInformer) Run(stop <-chan struct{}) {
	s.RunWithContext(wait.ContextForChannel(stop))
}

// RunWithContext lists, watches, and notifies handlers until ctx ends. Then handlers hear nothing more, and it returns
// when each has returned from its last call. A second call logs a warning and returns.
//
// Handlers are started before the first object comes and are stopped after the last, so that nothing that the store has
// taken in finds nobody to tell. A panic comes out of it at once.
//
// Upstream: the method of the same name.
func (s *SharedIndexInformer) RunWithContext(ctx context.Context) {
	defer utilruntime.HandleCrashWithContext(ctx)
	controller := s.start(ctx)
	if controller == nil {
		klog.FromContext(ctx).Info("Warning: the informer has started, and runs only once")
		return
	}
	stopped, end := context.WithCancel(context.Background())
	defer end()
	var others sync.WaitGroup
	others.Go(func() { s.options.MutationDetector.Run(stopped.Done()) })
	others.Go(func() {
		select {
		case <-controller.HasSyncedChecker().Done():
			close(s.synced)
			s.handlers.informerSynced()
		case <-ctx.Done():
		}
	})
	func() {
		defer s.stop() // also after a panic, which waits for no handler that is busy, and no first list
		controller.RunWithContext(ctx)
	}()
	s.handlers.running.Wait()
	end() // not before: the detector looks a last time
	others.Wait()
}

// start puts the parts together and starts the handlers. It returns nil if that was done before.
func (s *SharedIndexInformer) start(ctx context.Context) cache.Controller {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.started {
		return nil
	}
	s.started = true
	logger := klog.FromContext(ctx)
	c := consumer{store: s.store, gone: s.options.Parts.Gone, handlers: &s.handlers}
	s.controller = s.options.Parts.Controller(&cache.Config{
		Queue: s.options.Parts.Queue(cache.RealFIFOOptions{
			Logger:                &logger,
			Name:                  fmt.Sprintf("RealFIFO %T", s.example),
			KeyFunction:           cache.MetaNamespaceKeyFunc,
			Transformer:           s.transform,
			AtomicEvents:          true,
			UnlockWhileProcessing: true,
			EmitDeltaTypeBookmark: true,
		}),
		ListerWatcher:                s.source,
		Process:                      c.process,
		ProcessBatch:                 c.processBatch,
		ObjectType:                   s.example,
		ObjectDescription:            s.options.ObjectDescription,
		FullResyncPeriod:             s.checkPeriod,
		ShouldResync:                 s.handlers.shouldResync,
		WatchErrorHandlerWithContext: s.watchError,
	})
	s.handlers.start()
	return s.controller
}

// stop has every handler end. It does not wait for them.
func (s *SharedIndexInformer) stop() {
	s.lock.Lock()
	s.stopped = true // no new handlers: nobody would stop them
	s.lock.Unlock()
	s.handlers.stop()
}

// withoutContext leaves out what the handler does not want.
func withoutContext(handler cache.WatchErrorHandler) cache.WatchErrorHandlerWithContext {
	return func(_ context.Context, r *cache.Reflector, err error) { handler(r, err) }
}

// idle is the controller that [SharedIndexInformer.GetController] returns.
//
// Upstream: dummyController.
type idle struct{ *SharedIndexInformer }

func (idle) Run(<-chan struct{}) {}

func (idle) RunWithContext(context.Context) {}
