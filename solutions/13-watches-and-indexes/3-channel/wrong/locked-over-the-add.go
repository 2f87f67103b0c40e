// Misconception: a lock that is held for an Add keeps everything in order.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that a lock may be held while somebody else's code runs. That code may call bac

//go:build wrong

package channel

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	for ctx.Err() == nil {
		if s.next(queue) {
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}

func (s *Source) next(queue Queue) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return false
	}
	key := s.order[0]
	s.order = s.order[1:]
	delete(s.waits, key)
	queue.Add(reconcile.Request{NamespacedName: key}) // wrong: Notify waits for it
	return true
}
