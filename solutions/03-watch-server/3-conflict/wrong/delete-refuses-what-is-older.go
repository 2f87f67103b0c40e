// Breaks: "When revision is neither 0 nor the object's present revision, Delete returns ErrConflict."
// Caught by: TestDeleteIsAWrite
// Message: there was no error

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
	case revision != 0 && revision < current.Revision:
		return 0, ErrConflict
	}
	s.revision++
	delete(s.objects, name)
	return s.revision, nil
}
