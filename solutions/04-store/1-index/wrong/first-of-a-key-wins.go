// Breaks: "Of several objects with one key, the last counts; the others are as if they were not there."
// Caught by: TestReplaceWithOneKeyTwice
// Message: Get of "a" returns

//go:build wrong

package index

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	for _, object := range objects {
		if _, ok := s.items[s.key(object)]; !ok {
			s.put(object)
		}
	}
}
