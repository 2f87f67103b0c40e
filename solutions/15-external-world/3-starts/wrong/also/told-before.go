// Breaks: When the task has returned, done is told its key and its error, once.
// Stage: 1

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
			s.done(next.key, nil)
			_ = attempt(ctx, next.task)
			s.ended(next.key)
		})
	}
}
