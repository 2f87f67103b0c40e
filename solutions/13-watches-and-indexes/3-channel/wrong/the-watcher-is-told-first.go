// Breaks: When the ctx of Start has ended, no Add is called any more, not even for what waits.
// Caught by: TestAnAddEndsIt
// Message: Points to: the belief that whoever watches for the end is told before anybody goes on. ctx has ended, and a
// goroutine that waits for it has not run yet

//go:build wrong

package channel

import (
	"context"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sync/atomic"
)

// run adds until ctx ends. It holds no lock over an Add.
func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	if ctx.Err() != nil {
		return
	}
	var ended atomic.Bool
	go func() {
		<-ctx.Done()
		ended.Store(true)
	}()
	for !ended.Load() {
		if key, ok := s.next(); ok {
			queue.Add(reconcile.Request{NamespacedName: key})
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return
		}
	}
}
