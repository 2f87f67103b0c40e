// Misconception: An update of what is not there makes it.
// Caught by: TestCreateAndUpdateDiffer
// Message: an update may create

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	if !ok {
		current.Value = o.Value + "?" // so that it is a write
	}
	switch {
	case ok && o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
