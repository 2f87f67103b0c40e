// Breaks: "When there is no object of that name, Update returns ErrNotFound, whatever o.Revision is."
// Caught by: TestDeleteIsAWrite
// Message: Update from revision 3 of what is gone

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok && 0 < o.Revision && o.Revision < s.revision:
		return Object{}, ErrConflict // wrong: it was deleted since, so that there is no object
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
