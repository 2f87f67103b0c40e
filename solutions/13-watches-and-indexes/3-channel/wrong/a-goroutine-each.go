// Misconception: a goroutine that waits costs nothing.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that a goroutine costs nothing. On a standby each would wait for ever, and noth
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
	go func() { s.keys <- key }() // wrong
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
