// Breaks: It starts no goroutine, and calls no method of the queue.
// Caught by: TestGoroutines
// Message: the belief that a goroutine that has nothing to do can be started anew later. Notify would
// Removes: Source.end

//go:build wrong

package channel

import (
	"context"
	"errors"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Source struct {
	mu    sync.Mutex
	ctx   context.Context // nil before Start
	queue Queue
	runs  bool
	order []Key
	waits map[Key]bool
}

func New() *Source { return &Source{waits: map[Key]bool{}} }

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits[key] || s.ctx != nil && s.ctx.Err() != nil {
		return
	}
	s.waits[key] = true
	s.order = append(s.order, key)
	s.ensure()
}

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx != nil {
		return errors.New("the source was started before")
	}
	s.ctx, s.queue = ctx, queue
	s.ensure()
	return nil
}

// ensure starts a goroutine if there is none. Wrong: Notify calls it.
func (s *Source) ensure() {
	if s.ctx == nil || s.runs {
		return
	}
	s.runs = true
	go s.run()
}

func (s *Source) run() {
	for key, ok := s.next(); ok; key, ok = s.next() {
		s.queue.Add(reconcile.Request{NamespacedName: key})
	}
}

func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		s.order, s.waits = nil, map[Key]bool{}
	}
	if len(s.order) == 0 {
		s.runs = false
		return Key{}, false
	}
	key, s.order = s.order[0], s.order[1:]
	delete(s.waits, key)
	return key, true
}
