// Misconception: a select takes the first case that is ready.
// Caught by: TestTheEnd
// Message: end ends ctx

//go:build wrong

package channel

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake: // wrong: if both are ready, chance has it
		}
		key, ok := s.next()
		if !ok {
			continue
		}
		queue.Add(reconcile.Request{NamespacedName: key})
		select {
		case s.wake <- struct{}{}: // there may be more
		default:
		}
	}
}
