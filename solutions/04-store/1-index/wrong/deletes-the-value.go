// Misconception: The value of a deleted object goes with it.
// Caught by: TestDelete
// Message: the belief that a value has one object: with that one

//go:build wrong

package index

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	delete(s.index, s.value(old)) // wrong: others may have it
}
