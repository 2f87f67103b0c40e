// Breaks: "What is refused leaves everything as it is."
// Caught by: TestCreateAndUpdateDiffer
// Message: after the refused Create

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, ok := s.objects[name]; ok {
		s.objects[name] = Object{name, value, o.Revision} // wrong: it is refused
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
