// Misconception: Who reads can find out that an object is gone.
// Caught by: TestDelete
// Message: the belief that an empty set is no set

//go:build wrong

package index

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, key)
}

// ByValue leaves out what is gone.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	for key := range s.index[value] {
		if object, ok := s.items[key]; ok && s.value(object) == value {
			objects = append(objects, object)
		}
	}
	return objects
}
