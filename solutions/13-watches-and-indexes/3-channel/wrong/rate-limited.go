// Misconception: AddRateLimited is the careful Add.
// Caught by: TestWaitsWithoutLooking
// Message: the belief that AddRateLimited is an Add that is careful. It counts a failure of the key,

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
			queue.AddRateLimited(reconcile.Request{NamespacedName: key}) // wrong
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}
