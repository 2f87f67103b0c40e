// Misconception: done is told of each task that was taken.
// Caught by: TestCancelWhatWaits
// Message: the belief that done is told of each task

//go:build wrong

package starts

import (
	"context"
	"slices"
)

func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	before := len(s.waiting)
	s.waiting = slices.DeleteFunc(s.waiting, func(w start) bool { return w.key == key })
	back := len(s.waiting) < before
	if cancel := s.running[key]; cancel != nil {
		cancel()
	}
	s.mu.Unlock()
	if back {
		s.done(key, context.Canceled)
	}
}
