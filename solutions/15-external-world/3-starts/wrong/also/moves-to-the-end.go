// Breaks: A key whose task waits or runs is not taken a second time: Start returns false.
// Stage: 3

//go:build wrong

package starts

import (
	"context"
	"slices"
)

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.waiting, func(w start) bool { return w.key == key }); i >= 0 {
		again := s.waiting[i]
		s.waiting = append(slices.Delete(s.waiting, i, i+1), again)
		return false
	}
	if s.stopped || s.running[key] != nil {
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}
