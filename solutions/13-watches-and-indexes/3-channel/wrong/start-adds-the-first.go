// Breaks: It returns nil at once, and does not wait for an Add.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that a controller has a goroutine for each of its sources. It starts them one a

//go:build wrong

package channel

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	again := s.started
	s.started = true
	s.mu.Unlock()
	if again {
		return errors.New("the source was started before")
	}
	if key, ok := s.next(); ok && ctx.Err() == nil {
		queue.Add(reconcile.Request{NamespacedName: key}) // wrong
	}
	go s.run(ctx, queue)
	return nil
}
