// Misconception: a channel with a large buffer never blocks.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that there is a size that is enough. A standby is never started, and a queue's
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

func New() *Source { return &Source{keys: make(chan Key, 1024)} }

func (s *Source) Notify(key Key) {
	s.keys <- key // wrong: there is a 1025th
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
