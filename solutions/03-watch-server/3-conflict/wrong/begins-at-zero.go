// Breaks: "The first write has revision 1, and each further one the next, whichever object it is made to."
// Caught by: TestWritesCount
// Message: at revision 0

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	o := Object{name, value, s.revision}
	s.revision++
	s.objects[name] = o
	return o, nil
}
