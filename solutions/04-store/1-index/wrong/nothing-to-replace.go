// Breaks: "No objects, also as nil, leave the store empty."
// Caught by: TestReplace
// Message: Replace with no objects

//go:build wrong

package index

// Replace exchanges the objects, if there are any.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(objects) == 0 {
		return
	}
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	for _, object := range objects {
		s.put(object)
	}
}
