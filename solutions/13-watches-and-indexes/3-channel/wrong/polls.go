// Misconception: looking now and then is waiting.
// Caught by: TestWaitsWithoutLooking
// Message: the belief that to look from time to time is to wait. Who looks seldom is late, and who lo

//go:build wrong

package channel

import (
	"context"
	"time"

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
		case <-time.After(10 * time.Millisecond): // wrong
		case <-ctx.Done():
		}
	}
}
