// Misconception: to look from time to time is to wait.
// Stage: 2

//go:build wrong

package starts

import "time"

func (s *Starts) ended(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, key)
	if len(s.waiting) > 0 && !s.stopped {
		time.AfterFunc(100*time.Millisecond, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.begin()
		})
	}
}
