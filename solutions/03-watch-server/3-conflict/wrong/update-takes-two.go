// Breaks: "The first write has revision 1, and each further one the next, whichever object it is made to."
// Caught by: TestWritesCount
// Message: at revision 4

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
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	s.revision += 2
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
