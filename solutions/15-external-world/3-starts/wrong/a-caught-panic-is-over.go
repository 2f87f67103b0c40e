// Misconception: a panic that was caught is over.
// Caught by: TestPanic
// Message: the belief that a panic that was caught is over

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
			defer func() { _ = recover() }()
			defer cancel()
			var err error
			func() {
				defer s.ended(next.key)
				err = next.task(ctx)
			}()
			s.done(next.key, err)
		})
	}
}
