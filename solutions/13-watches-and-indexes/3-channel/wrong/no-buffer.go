// Misconception: the controller is there to receive.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that somebody is there to receive. On a standby nobody is, for as long as it st
// Removes: Source.next, Source.end

//go:build wrong

package channel

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Source struct {
	mu      sync.Mutex
	started bool
	keys    chan Key
}

func New() *Source { return &Source{keys: make(chan Key)} }

func (s *Source) Notify(key Key) {
	s.keys <- key // wrong: nobody receives before Start
}

func (s *Source) run(ctx context.Context, queue Queue) {
	for {
		select {
		case key := <-s.keys:
			queue.Add(reconcile.Request{NamespacedName: key})
		case <-ctx.Done():
			return
		}
	}
}
