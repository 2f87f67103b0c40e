// Breaks: If it had ended before Start, it is the same: Start returns nil, and no Add is called.
// Caught by: TestTheEnd
// Message: Points to: the belief that a select takes the first of its cases that is ready. It takes any of them

//go:build wrong

package channel

import (
	"context"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// run adds until ctx ends. It holds no lock over an Add.
func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	for {
		select {
		case <-s.wake:
		case <-ctx.Done():
			return
		}
		for key, ok := s.next(); ok; key, ok = s.next() {
			queue.Add(reconcile.Request{NamespacedName: key})
			if ctx.Err() != nil {
				return
			}
		}
	}
}
