// Breaks: "When there is an object of that name, Create returns ErrExists."
// Caught by: TestCreateAndUpdateDiffer
// Message: the error has that text, and is another one

//go:build wrong

package conflict

import "errors"

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, errors.New("already exists")
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
