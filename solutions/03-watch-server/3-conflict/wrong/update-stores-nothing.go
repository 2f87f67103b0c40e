// Breaks: "Get returns an object as the last write to it left it, or ErrNotFound."
// Caught by: TestWritesCount
// Message: after the Update Get returns

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
	s.revision++
	o.Revision = s.revision
	return o, nil
}
