// Misconception: A list has one object for a key.
// Caught by: TestReplaceWithOneKeyTwice
// Message: the belief that a list has one object for a key

//go:build wrong

package index

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	for _, object := range objects {
		s.items[s.key(object)] = object
	}
	for _, object := range objects { // wrong: some of these are not in the items
		key, value := s.key(object), s.value(object)
		if s.index[value] == nil {
			s.index[value] = map[string]struct{}{}
		}
		s.index[value][key] = struct{}{}
	}
}
