// Misconception: what came last is most urgent.
// Caught by: TestInTheOrderOfTheStarts
// Message: the belief that the last is the most urgent

//go:build wrong

package starts

import (
	"context"
	"slices"
)

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		last := len(s.waiting) - 1
		next := s.waiting[last]
		s.waiting = slices.Delete(s.waiting, last, last+1)
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
