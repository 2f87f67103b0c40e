// Misconception: a cancellation is over when the task is.
// Stage: 3

//go:build wrong

package starts

import (
	"slices"
	"time"
)

func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	s.waiting = slices.DeleteFunc(s.waiting, func(w start) bool { return w.key == key })
	cancel := s.running[key]
	s.mu.Unlock()
	for ; cancel != nil; time.Sleep(time.Second) {
		cancel()
		s.mu.Lock()
		cancel = s.running[key]
		s.mu.Unlock()
	}
}
