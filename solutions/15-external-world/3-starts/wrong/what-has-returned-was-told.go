// Misconception: what has returned was told.
// Caught by: TestUntilAllIsTold
// Message: the belief that what has returned was told

//go:build wrong

package starts

import "context"

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		s.untold.Add(1)
		go func() {
			defer cancel()
			err := attempt(ctx, next.task)
			s.ended(next.key)
			s.untold.Done()
			s.done(next.key, err)
		}()
	}
}
