// Misconception: what fails in the background has nobody to tell it to.
// Caught by: TestSeveral
// Message: the belief that a start whose error nobody hears has gone well

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
			_ = attempt(ctx, next.task)
			s.ended(next.key)
			s.done(next.key, nil)
		})
	}
}
