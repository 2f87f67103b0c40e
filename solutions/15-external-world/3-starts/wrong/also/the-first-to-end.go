// Breaks: It ends no context. It returns as soon as nothing runs and done has returned for each.
// Stage: 4

//go:build wrong

package starts

import (
	"context"
	"sync"
)

// Starts hears of one end.
type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	running map[string]context.CancelFunc
	waiting []start
	stopped bool
	untold  sync.WaitGroup
	one     chan bool
}

func New(most int, done func(key string, err error)) *Starts {
	return &Starts{most: most, done: done, running: map[string]context.CancelFunc{}, one: make(chan bool, most)}
}

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		go func() {
			defer cancel()
			err := attempt(ctx, next.task)
			s.ended(next.key)
			s.done(next.key, err)
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.stopped {
				s.one <- true
			}
		}()
	}
}

func (s *Starts) Stop() {
	s.mu.Lock()
	s.stopped, s.waiting = true, nil
	busy := len(s.running) > 0
	s.mu.Unlock()
	if busy {
		<-s.one
	}
}
