// Misconception: a slow Add needs a goroutine of its own.
// Caught by: TestNotifyWaitsForNobody
// Message: Adds ran at one time

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
			go queue.Add(reconcile.Request{NamespacedName: key}) // wrong
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}
