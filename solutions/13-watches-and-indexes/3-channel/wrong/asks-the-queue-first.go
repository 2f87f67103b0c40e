// Breaks: Of the queue's methods none but Add is called.
// Caught by: TestWaitsWithoutLooking
// Message: called was ShuttingDown

//go:build wrong

package channel

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	for ctx.Err() == nil {
		if key, ok := s.next(); ok {
			if queue.ShuttingDown() { // wrong
				return
			}
			queue.Add(reconcile.Request{NamespacedName: key})
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}
