// Misconception: a context says when it is over, and a task in the background is never over.
// Caught by: TestValues
// Message: the belief that a context is only its end

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
	if s.stopped || s.running[key] != nil || slices.ContainsFunc(s.waiting, waits) {
		return false
	}
	s.waiting = append(s.waiting, start{context.Background(), key, task})
	s.begin()
	return true
}
