// Misconception: there is a number of tasks that is never exceeded.
// Caught by: TestAnyNumberWaits
// Message: the belief that there is a number of tasks

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
	if len(s.waiting) == 256 {
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}
