// Misconception: A list brings news.
// Caught by: TestReplace
// Message: the belief that a list brings news

//go:build wrong

package index

// Replace puts these objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, object := range objects { // wrong: what the list lacks stays
		s.put(object)
	}
}
