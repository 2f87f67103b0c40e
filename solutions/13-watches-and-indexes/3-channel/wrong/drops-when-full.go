// Misconception: a select with a default case makes any channel one that never blocks.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that what finds no room may be dropped. Nobody notifies again: it has happened
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
	select {
	case s.keys <- key:
	default: // wrong: this one is lost
	}
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
