// Breaks: "A deletion is a write too."
// Caught by: TestDeleteIsAWrite
// Message: revision 3, error <nil>

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
	if current.Revision != s.revision {
		s.revision++ // wrong: also when the object was written last
	}
	delete(s.objects, name)
	return s.revision, nil
}
