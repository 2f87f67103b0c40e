// Misconception: An index is made when an object is put.
// Caught by: TestReplace
// Message: ByValue of "blue" returns

//go:build wrong

package index

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	for _, object := range objects {
		s.items[s.key(object)] = object // wrong: without the index
	}
}
