// Misconception: a goroutine that takes whatever is sent never makes a sender wait.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that there is somebody who receives as long as somebody sends
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
	order   []Key
	waits   map[Key]bool
	keys    chan Key
}

func New() *Source { return &Source{waits: map[Key]bool{}, keys: make(chan Key)} }

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	started := s.started
	if !started {
		s.note(key)
	}
	s.mu.Unlock()
	if started {
		s.keys <- key // wrong: the pump has ended
	}
}

func (s *Source) note(key Key) {
	if !s.waits[key] {
		s.waits[key] = true
		s.order = append(s.order, key)
	}
}

func (s *Source) run(ctx context.Context, queue Queue) {
	out := make(chan Key)
	go add(ctx, out, queue)
	for ctx.Err() == nil {
		var to chan Key
		var first Key
		if len(s.order) > 0 {
			to, first = out, s.order[0]
		}
		select {
		case key := <-s.keys:
			s.note(key)
		case to <- first:
			s.order = s.order[1:]
			delete(s.waits, first)
		case <-ctx.Done():
		}
	}
}

func add(ctx context.Context, keys <-chan Key, queue Queue) {
	for {
		select {
		case key := <-keys:
			if ctx.Err() != nil {
				return
			}
			queue.Add(reconcile.Request{NamespacedName: key})
		case <-ctx.Done():
			return
		}
	}
}
