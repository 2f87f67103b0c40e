// Misconception: a select with a default case waits.
// Caught by: TestWaitsWithoutRunning
// Message: the belief that a select with a default case waits. It never does: a loop around it keeps

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
			queue.Add(reconcile.Request{NamespacedName: key})
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		default: // wrong
		}
	}
}
