// Misconception: a task returns in one way.
// Stage: 2

//go:build wrong

package starts

import "context"

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		s.untold.Go(func() {
			defer cancel()
			err := attempt(ctx, next.task)
			if err == nil {
				s.ended(next.key)
			}
			s.done(next.key, err)
		})
	}
}
