// Misconception: What was checked a moment ago still holds.
// Caught by: TestOneWins
// Message: a check made before a write still holds at the write

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	current, err := s.Get(o.Name)
	switch {
	case err != nil:
		return Object{}, err
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
