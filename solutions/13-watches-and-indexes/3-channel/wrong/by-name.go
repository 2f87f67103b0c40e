// Breaks: The key that began to wait first is added first. No key waits when the Source is new.
// Caught by: TestBeforeStart
// Message: a b c d e f g start(a) return(b) return(c) return(d) return(e) return(f) return(g)
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

// take takes all. Wrong: a map has no order.
func (s *Source) take() []Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Key
	for key := range s.waits {
		all = append(all, key)
	}
	s.order, s.waits = nil, map[Key]bool{}
	return all
}
