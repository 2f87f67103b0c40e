// Misconception: The last writer wins.
// Caught by: TestStaleUpdateIsRefused
// Message: the last writer wins: the first one is never told

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
	case o.Value == current.Value:
		return current, nil
	}
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
