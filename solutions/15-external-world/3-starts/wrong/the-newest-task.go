// Misconception: the newest task takes the place of one that waits.
// Caught by: TestKeyThatWaits
// Message: the belief that the newest task takes the place

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
	if i := slices.IndexFunc(s.waiting, waits); i >= 0 {
		s.waiting[i].task = task
		return false
	}
	if s.stopped || s.running[key] != nil {
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}
