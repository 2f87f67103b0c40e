// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestReplace
// Message: or that called a method which wants it too

//go:build wrong

package index

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	for _, object := range objects {
		s.Put(object) // wrong: it waits for the lock
	}
}
