// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestMethodsLock
// Message: there was a data race

//go:build wrong

package index

// Put stores an object.
func (s *Store[T]) Put(object T) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.put(object)
}
