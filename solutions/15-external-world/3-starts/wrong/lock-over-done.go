// Misconception: what belongs together is done under the lock.
// Caught by: TestKeyIsFree
// Message: the belief that a lock may be held while somebody else's code runs

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
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.running, next.key)
			s.begin()
			s.done(next.key, err)
		})
	}
}
