// Breaks: When done is told, the key is free again, and done may call Start.
// Stage: 3

//go:build wrong

package starts

import (
	"context"
	"slices"
	"sync"
)

// Starts knows what it has taken.
type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	running map[string]context.CancelFunc
	waiting []start
	stopped bool
	untold  sync.WaitGroup
	failed  sync.Map
}

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waits := func(w start) bool { return w.key == key }
	if _, failed := s.failed.Load(key); failed || s.stopped || s.running[key] != nil ||
		slices.ContainsFunc(s.waiting, waits) {
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		s.untold.Go(func() {
			defer cancel()
			err := attempt(ctx, next.task)
			if err != nil {
				s.failed.Store(next.key, true)
			}
			s.ended(next.key)
			s.done(next.key, err)
		})
	}
}
