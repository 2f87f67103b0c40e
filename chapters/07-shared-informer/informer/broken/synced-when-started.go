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
	stopped := make(chan struct{})
	var others sync.WaitGroup
	defer others.Wait()
	defer close(stopped)
	defer s.stop()
	others.Go(func() { s.options.MutationDetector.Run(stopped) })
	close(s.synced) // the first list has not come
	s.handlers.informerSynced()
	controller.RunWithContext(ctx)
}
