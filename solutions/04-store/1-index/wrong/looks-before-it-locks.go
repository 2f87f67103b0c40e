// Misconception: What was looked up a moment ago still holds.
// Caught by: TestWritesDuringAWrite
// Message: the belief that what a write has looked up still holds when it writes

//go:build wrong

package index

// Put stores an object.
func (s *Store[T]) Put(object T) {
	key := s.key(object)
	old, ok := s.Get(key)
	value, was := s.value(object), ""
	if ok {
		was = s.value(old)
	}
	s.mu.Lock() // wrong: old may have been replaced since
	defer s.mu.Unlock()
	if ok {
		delete(s.index[was], key)
		if len(s.index[was]) == 0 {
			delete(s.index, was)
		}
	}
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}
