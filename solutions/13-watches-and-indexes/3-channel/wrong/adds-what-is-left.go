// Misconception: what waits is added before the end.
// Caught by: TestTheEnd
// Message: the belief that what waits has to be added before the end. The controller's workers have e

//go:build wrong

package channel

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	for {
		if key, ok := s.next(); ok {
			queue.Add(reconcile.Request{NamespacedName: key}) // wrong: nobody has looked at ctx
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return
		}
	}
}
