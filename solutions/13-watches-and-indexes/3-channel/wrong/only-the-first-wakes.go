// Misconception: only a key that comes to an empty set has to wake anybody, and only once.
// Caught by: TestNotifyWaitsForNobody
// Message: 2 were

//go:build wrong

package channel

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	for ctx.Err() == nil {
		select { // wrong: one call for each key, and some calls were one
		case <-s.wake:
			if key, ok := s.next(); ok && ctx.Err() == nil {
				queue.Add(reconcile.Request{NamespacedName: key})
			}
		case <-ctx.Done():
		}
	}
}
