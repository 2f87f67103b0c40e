// Breaks: When ctx has ended and no Add runs, whatever Start has started ends at once.
// Caught by: TestWaitsWithoutRunning
// Message: the belief that a goroutine ends when nobody needs it any more. One that waits for a lock,

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
		<-s.wake // wrong: of the end nobody hears
	}
}
