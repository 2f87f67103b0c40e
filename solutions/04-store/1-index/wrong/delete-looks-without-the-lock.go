// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestMethodsLock
// Message: there was a data race

//go:build wrong

package index

// Delete removes an object, if there is one.
func (s *Store[T]) Delete(key string) {
	if _, ok := s.items[key]; !ok { // wrong: somebody may write
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
}
