// Breaks: "When there is no object of that name, Update returns ErrNotFound, whatever o.Revision is."
// Caught by: TestCreateAndUpdateDiffer
// Message: is refused with "not found"

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok && o.Revision == 0:
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
