// Misconception: a key that is being added needs no other Add.
// Caught by: TestNotifiedAgain
// Message: the belief that an Add that runs is early enough for what happens meanwhile

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
			s.mu.Lock()
			delete(s.waits, key) // wrong: what came meanwhile was dropped
			s.mu.Unlock()
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}

func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return Key{}, false
	}
	key, s.order = s.order[0], s.order[1:]
	return key, true
}
