// Misconception: An update to what is there already can do no harm, whatever it was made from.
// Caught by: TestStaleUpdateIsRefused
// Message: equal content makes an old write right

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
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	}
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
