// Breaks: Nothing begins any more. What waits is dropped, done is told nothing of it, and Start returns false.
// Stage: 4

//go:build wrong

package starts

import (
	"context"
	"slices"
)

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waits := func(w start) bool { return w.key == key }
	if s.running[key] != nil || slices.ContainsFunc(s.waiting, waits) {
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}
