// Misconception: The index follows the objects.
// Caught by: TestReplace
// Message: the belief that the index follows by itself

//go:build wrong

package index

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	for _, object := range objects {
		s.put(object) // wrong: the index still has the old ones
	}
}
