// Misconception: what waits can be taken all at once, and then be added.
// Caught by: TestOneAddForWhatWaits
// Message: the belief that a key is on its way when it was taken out. Its Add has not been called yet
// Removes: Source.next

//go:build wrong

package channel

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	for ctx.Err() == nil {
		for _, key := range s.take() {
			if ctx.Err() != nil {
				return
			}
			queue.Add(reconcile.Request{NamespacedName: key})
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}

// take takes all. Wrong: they still wait when one of them is notified again.
func (s *Source) take() []Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.order
	s.order, s.waits = nil, map[Key]bool{}
	return all
}
