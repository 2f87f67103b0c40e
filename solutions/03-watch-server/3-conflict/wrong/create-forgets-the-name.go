// Breaks: "Create stores a new object and returns it with its revision."
// Caught by: TestWritesCount
// Message: = "red" at revision 1

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return Object{Value: value, Revision: s.revision}, nil // wrong: and its name?
}
