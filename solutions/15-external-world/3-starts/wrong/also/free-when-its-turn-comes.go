// Misconception: a key is free when its task would have had its turn.
// Stage: 3

//go:build wrong

package starts

import "context"

func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[key]; cancel != nil {
		cancel()
	}
	for i := range s.waiting {
		if s.waiting[i].key == key {
			s.waiting[i].task = nil
		}
	}
}

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		if next.task == nil {
			continue
		}
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		s.untold.Go(func() {
			defer cancel()
			err := attempt(ctx, next.task)
			s.ended(next.key)
			s.done(next.key, err)
		})
	}
}
