// Breaks: "T is any type, also one whose objects can't be compared."
// Caught by: TestAnyType
// Message: comparing uncomparable type []string

//go:build wrong

package index

// Put leaves alone what is there already.
func (s *Store[T]) Put(object T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.items[s.key(object)]; ok && any(old) == any(object) {
		return
	}
	s.put(object)
}
