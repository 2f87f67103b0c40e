// Misconception: Each object counts its own revisions.
// Caught by: TestWritesCount
// Message: each object counts its own revisions

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	o := Object{name, value, 1}
	s.objects[name] = o
	return o, nil
}

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
	o.Revision = current.Revision + 1
	s.objects[o.Name] = o
	return o, nil
}
