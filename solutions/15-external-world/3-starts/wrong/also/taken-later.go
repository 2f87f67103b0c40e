// Misconception: what is not taken now is taken later.
// Stage: 3

//go:build wrong

package starts

import (
	"context"
	"slices"
	"sync"
)

// Starts remembers one more task for each key that runs.
type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	running map[string]context.CancelFunc
	waiting []start
	stopped bool
	untold  sync.WaitGroup
	later   sync.Map
}

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waits := func(w start) bool { return w.key == key }
	if s.stopped || slices.ContainsFunc(s.waiting, waits) {
		return false
	}
	if s.running[key] != nil {
		s.later.Store(key, start{context.WithoutCancel(ctx), key, task})
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}

func (s *Starts) ended(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, key)
	if again, ok := s.later.LoadAndDelete(key); ok {
		s.waiting = append(s.waiting, again.(start))
	}
	s.begin()
}
