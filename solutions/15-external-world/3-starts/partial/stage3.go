// All but the end: a task can be found by its key, running or waiting.

//go:build partial

package starts

import (
	"context"
	"slices"
	"sync"
)

type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	running map[string]context.CancelFunc
	waiting []start
}

type start struct {
	ctx  context.Context
	key  string
	task func(context.Context) error
}

func New(most int, done func(key string, err error)) *Starts {
	return &Starts{most: most, done: done, running: map[string]context.CancelFunc{}}
}

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waits := func(w start) bool { return w.key == key }
	if s.running[key] != nil || slices.ContainsFunc(s.waiting, waits) {
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}

func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = slices.DeleteFunc(s.waiting, func(w start) bool { return w.key == key })
	if cancel := s.running[key]; cancel != nil {
		cancel()
	}
}

// begin begins what there is room for. The lock is held.
func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		go func() {
			defer cancel()
			err := next.task(ctx)
			s.ended(next.key)
			s.done(next.key, err)
		}()
	}
}

// ended makes room. It comes before done is told, which may start the key again.
func (s *Starts) ended(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, key)
	s.begin()
}
