// Guideline: S2-06
// Misconception: An informer that runs has begun to fill its store, and a program can begin to read it.
// Caught by: TestSuite/nothing of upstream's/guarantees/a handler that joins before the first list has not synced
// before it has come
// Message: synced, where the server streams expected happened informer controller 1
// Base: run.go

//go:build wrong

package informer

import (
	"context"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

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
	close(s.synced) // the first list has not come
	s.handlers.informerSynced()
	func() {
		defer s.stop() // also after a panic, which waits for no handler that is busy, and no first list
		controller.RunWithContext(ctx)
	}()
	s.handlers.running.Wait()
	end() // not before: the detector looks a last time
	others.Wait()
}
