// Misconception: Each map needs a lock.
// Caught by: TestReadsDuringAWrite
// Message: the belief that two steps are one when each is safe

//go:build wrong

package index

// Put stores an object, and then indexes it.
func (s *Store[T]) Put(object T) {
	key := s.key(object)
	s.mu.Lock()
	old, ok := s.items[key]
	s.items[key] = object
	s.mu.Unlock()
	value, was := s.value(object), "" // wrong: meanwhile the index does not fit the items
	if ok {
		was = s.value(old)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ok {
		delete(s.index[was], key)
		if len(s.index[was]) == 0 {
			delete(s.index, was)
		}
	}
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}
