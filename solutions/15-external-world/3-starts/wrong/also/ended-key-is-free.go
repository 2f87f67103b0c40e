// Breaks: A task that runs has its context ended, and keeps key and room until it returns.
// Stage: 3

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
		s.running[key+" "] = func() {}
	}
}

func (s *Starts) ended(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running[key] == nil {
		key += " "
	}
	delete(s.running, key)
	s.begin()
}
