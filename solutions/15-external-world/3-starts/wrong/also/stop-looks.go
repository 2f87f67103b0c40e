// Misconception: to look from time to time is to wait.
// Stage: 4

//go:build wrong

package starts

import "time"

func (s *Starts) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped, s.waiting = true, nil
	for len(s.running) > 0 {
		s.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
		s.mu.Lock()
	}
}
