// Misconception: What is deleted by its key is gone.
// Caught by: TestDelete
// Message: the belief that what is deleted by its key is gone

//go:build wrong

package index

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, key) // wrong: the index has heard nothing
}
