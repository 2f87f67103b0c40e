// Misconception: A revision counts requests.
// Caught by: TestRefusalIsNoWrite
// Message: a revision counts requests

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	current, ok := s.objects[o.Name]
	switch {
	case !ok:
		return Object{}, ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		s.revision--
		return current, nil
	}
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
