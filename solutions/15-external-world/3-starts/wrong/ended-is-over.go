// Misconception: a task has ended when its context has.
// Caught by: TestCancelWhatRuns
// Message: the belief that a task has ended when its context has

//go:build wrong

package starts

import "slices"

func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = slices.DeleteFunc(s.waiting, func(w start) bool { return w.key == key })
	if cancel := s.running[key]; cancel != nil {
		cancel()
		delete(s.running, key)
		s.begin()
	}
}
