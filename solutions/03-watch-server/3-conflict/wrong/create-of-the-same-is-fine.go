// Breaks: "When there is an object of that name, Create returns ErrExists."
// Caught by: TestCreateAndUpdateDiffer
// Message: Create of "red" under a name that exists

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, ok := s.objects[name]; ok && o.Value == value {
		return o, nil // wrong: it exists
	} else if ok {
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
