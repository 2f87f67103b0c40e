// Misconception: whoever finds no room can come again.
// Stage: 2

//go:build wrong

package starts

import "context"

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.running[key] != nil || len(s.running) == s.most {
		return false
	}
	s.waiting = append(s.waiting, start{context.WithoutCancel(ctx), key, task})
	s.begin()
	return true
}
