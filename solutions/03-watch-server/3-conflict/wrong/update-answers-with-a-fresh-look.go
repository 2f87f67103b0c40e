// Breaks: "Update returns the object as it is then."
// Caught by: TestEachUpdateReturnsItsOwn
// Message: each gets its own value back

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	if err := s.write(o); err != nil {
		return Object{}, err
	}
	return s.Get(o.Name) // wrong: somebody else may have written since
}

func (s *Store) write(o Object) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok:
		return ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision:
		return ErrConflict
	case o.Value == current.Value:
		return nil
	}
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return nil
}
