// Misconception: a limit is a number of goroutines, and they are there from the beginning.
// Stage: 1

//go:build wrong

package starts

import (
	"context"
	"sync"
)

// Starts has a line for its workers.
type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	running map[string]context.CancelFunc
	waiting []start
	stopped bool
	untold  sync.WaitGroup
	line    chan func()
}

// New starts the workers.
func New(most int, done func(key string, err error)) *Starts {
	s := &Starts{most: most, done: done, running: map[string]context.CancelFunc{}, line: make(chan func(), most)}
	for range most {
		go func() {
			for do := range s.line {
				do()
			}
		}()
	}
	return s
}

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		s.untold.Add(1)
		s.line <- func() {
			defer s.untold.Done()
			defer cancel()
			err := attempt(ctx, next.task)
			s.ended(next.key)
			s.done(next.key, err)
		}
	}
}
