// Misconception: a Cond is woken when ctx ends.
// Caught by: TestWaitsWithoutRunning
// Message: the belief that a goroutine ends when nobody needs it any more. One that waits for a lock,
// Base: alt/cond

//go:build wrong

package channel

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return errors.New("a source has one controller")
	}
	s.started = true
	go func() {
		for key, ok := s.next(); ok && ctx.Err() == nil; key, ok = s.next() {
			queue.Add(reconcile.Request{NamespacedName: key})
		}
		s.end()
	}() // wrong: nobody wakes it at the end
	return nil
}
