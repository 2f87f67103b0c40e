// Breaks: "A name and a value are any text, which may be empty."
// Caught by: TestAnyText
// Message: there was no error

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects[name].Value != "" { // wrong: a value may be empty
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
