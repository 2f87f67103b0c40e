// Breaks: "Errors may be wrapped: errors.Is tells which one it is."
// Caught by: TestCreateAndUpdateDiffer
// Message: for errors.Is it is "the object has been modified" too

//go:build wrong

package conflict

import "fmt"

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok && o.Revision != 0:
		return Object{}, fmt.Errorf("%w: %w", ErrConflict, ErrNotFound) // wrong: a client would try again for ever
	case !ok:
		return Object{}, ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
