// A number of tasks that run, and a line of those that wait.

//go:build partial

package starts

import (
	"context"
	"sync"
)

type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	running int
	waiting []func()
}

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, func() {
		err := task(context.WithoutCancel(ctx))
		s.mu.Lock()
		s.running--
		s.begin()
		s.mu.Unlock()
		s.done(key, err)
	})
	s.begin()
	return true
}

// begin begins what there is room for. The lock is held.
func (s *Starts) begin() {
	for s.running < s.most && len(s.waiting) > 0 {
		s.running++
		go s.waiting[0]()
		s.waiting = s.waiting[1:]
	}
}
