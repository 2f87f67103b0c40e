// Breaks: "A name and a value are any text, which may be empty."
// Caught by: TestAnyText
// Message: Create of the name " "

//go:build wrong

package conflict

import "strings"

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	name = strings.TrimSpace(name) // wrong: space is text
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
