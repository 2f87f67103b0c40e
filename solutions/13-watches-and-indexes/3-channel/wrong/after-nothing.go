// Breaks: Of the queue's methods none but Add is called.
// Caught by: TestWaitsWithoutLooking
// Message: called was AddAfter

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
			queue.AddAfter(reconcile.Request{NamespacedName: key}, 0) // wrong
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}
