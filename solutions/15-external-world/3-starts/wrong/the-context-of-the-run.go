// Misconception: what a run begins has the run's context.
// Caught by: TestTheRunIsOver
// Message: the belief that a context belongs to all that its owner begins

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
	s.waiting = append(s.waiting, start{ctx, key, task})
	s.begin()
	return true
}
