// Misconception: once there is a queue, Notify can add to it: an Add is quick.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that an Add is quick. It takes the queue's lock, and may do anything else
// Removes: Source.next, Source.end

//go:build wrong

package channel

import (
	"context"
	"errors"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Source struct {
	mu      sync.Mutex
	started bool
	ctx     context.Context
	queue   Queue
	early   []Key
	seen    map[Key]bool
}

func New() *Source { return &Source{seen: map[Key]bool{}} }

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	if !s.started {
		if !s.seen[key] {
			s.seen[key] = true
			s.early = append(s.early, key)
		}
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	if s.ctx.Err() == nil {
		s.queue.Add(reconcile.Request{NamespacedName: key}) // wrong: it may be slow
	}
}

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return errors.New("the source was started before")
	}
	s.started, s.ctx, s.queue = true, ctx, queue
	go s.run(s.early)
	return nil
}

func (s *Source) run(early []Key) {
	for _, key := range early {
		if s.ctx.Err() != nil {
			return
		}
		s.queue.Add(reconcile.Request{NamespacedName: key})
	}
	<-s.ctx.Done()
}
