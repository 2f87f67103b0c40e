// Breaks: Every key that waits is added, once Start was called.
// Caught by: TestBeforeStart
// Message: the belief that what is told before anybody listens is of no use. What has happened is tol

//go:build wrong

package channel

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	s.mu.Lock()
	select {
	case <-s.wake: // wrong: what it told of is not looked at
	default:
	}
	s.mu.Unlock()
	for ctx.Err() == nil {
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
		for ctx.Err() == nil {
			key, ok := s.next()
			if !ok {
				break
			}
			queue.Add(reconcile.Request{NamespacedName: key})
		}
	}
}
