// Misconception: a cancellation is for what will come, too.
// Stage: 3

//go:build wrong

package starts

import (
	"context"
	"slices"
	"sync"
)

// Starts knows which keys were cancelled.
type Starts struct {
	most int
	done func(key string, err error)

	mu        sync.Mutex
	running   map[string]context.CancelFunc
	waiting   []start
	stopped   bool
	untold    sync.WaitGroup
	cancelled sync.Map
}

func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.waiting)
	s.waiting = slices.DeleteFunc(s.waiting, func(w start) bool { return w.key == key })
	if len(s.waiting) < before {
		return
	}
	if cancel := s.running[key]; cancel != nil {
		cancel()
		return
	}
	s.cancelled.Store(key, true)
}

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		if _, early := s.cancelled.LoadAndDelete(next.key); early {
			cancel()
		}
		s.untold.Go(func() {
			defer cancel()
			err := attempt(ctx, next.task)
			s.ended(next.key)
			s.done(next.key, err)
		})
	}
}
