// Breaks: "When o.Revision is neither 0 nor the object's present revision, Update returns ErrConflict, whatever
// o.Value is."
// Caught by: TestStaleUpdateIsRefused
// Message: a revision that the object never had, to the value that it has

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok:
		return Object{}, ErrNotFound
	case o.Value == current.Value && o.Revision > current.Revision:
		return current, nil // wrong: the revision is not its own
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
