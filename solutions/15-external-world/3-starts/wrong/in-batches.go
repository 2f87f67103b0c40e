// Misconception: those who begin together end together.
// Caught by: TestAsSoonAsThereIsRoom
// Message: the belief that those who begin together end together

//go:build wrong

package starts

func (s *Starts) ended(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.running, key); len(s.running) == 0 {
		s.begin()
	}
}
