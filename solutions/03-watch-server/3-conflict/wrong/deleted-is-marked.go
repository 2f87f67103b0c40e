// Breaks: "Get returns an object as the last write to it left it, or ErrNotFound."
// Caught by: TestThereAndBackIsNotTheSame
// Message: already exists

//go:build wrong

package conflict

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[name]
	switch {
	case !ok:
		return 0, ErrNotFound
	case revision != 0 && revision != current.Revision:
		return 0, ErrConflict
	}
	s.revision++
	s.objects[name] = Object{Name: name, Revision: s.revision} // wrong: it is there still
	return s.revision, nil
}
