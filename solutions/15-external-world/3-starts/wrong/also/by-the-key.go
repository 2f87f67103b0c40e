// Breaks: They begin in the order of their Starts, each as soon as there is room.
// Stage: 2

//go:build wrong

package starts

import (
	"context"
	"slices"
	"strings"
)

func (s *Starts) begin() {
	for len(s.running) < s.most && len(s.waiting) > 0 {
		slices.SortFunc(s.waiting, func(a, b start) int { return strings.Compare(a.key, b.key) })
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
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
