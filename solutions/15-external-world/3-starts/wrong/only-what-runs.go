// Misconception: only what runs can come a second time.
// Caught by: TestKeyThatWaits
// Message: the belief that only what runs can come a second time

//go:build wrong

package starts

import "context"

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.running[key] != nil {
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}
