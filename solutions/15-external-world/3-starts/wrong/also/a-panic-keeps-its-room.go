// Misconception: a task returns in one way.
// Stage: 4

//go:build wrong

package starts

import (
	"context"
	"fmt"
)

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		ctx, cancel := context.WithCancel(next.ctx)
		s.running[next.key] = cancel
		s.untold.Go(func() {
			defer cancel()
			defer func() {
				if p := recover(); p != nil {
					s.done(next.key, fmt.Errorf("panic: %v", p))
				}
			}()
			err := next.task(ctx)
			s.ended(next.key)
			s.done(next.key, err)
		})
	}
}
