// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestDelete
// Message: a call that returned with the lock

//go:build wrong

package index

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	if _, ok := s.items[key]; !ok {
		return // wrong: with the lock
	}
	s.remove(key)
	s.mu.Unlock()
}
