// Breaks: It is called then, or, if no key waits, at the next Notify: nobody waits for time to pass
// Caught by: TestWaitsWithoutLooking
// Message: it was b c

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
		case <-s.wake:
			time.Sleep(10 * time.Millisecond) // wrong: more may come
		case <-ctx.Done():
		}
	}
}
