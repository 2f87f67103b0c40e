// Breaks: "Each call happens at one moment between its beginning and its end: what one read has found, a read that
// begins later finds too, unless it was written since."
// Caught by: TestReadsAmongWrites
// Message: the belief that two steps are one when each is safe

//go:build wrong

package index

// Put stores an object, and makes the index anew.
func (s *Store[T]) Put(object T) {
	key := s.key(object)
	s.mu.Lock()
	s.items[key] = object
	s.mu.Unlock()
	s.reindex()
}

func (s *Store[T]) reindex() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index = map[string]map[string]struct{}{}
	for key, object := range s.items {
		value := s.value(object)
		if s.index[value] == nil {
			s.index[value] = map[string]struct{}{}
		}
		s.index[value][key] = struct{}{}
	}
}
