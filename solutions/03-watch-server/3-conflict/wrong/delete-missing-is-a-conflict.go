// Breaks: "When there is no object of that name, Delete returns ErrNotFound, whatever revision is."
// Caught by: TestDeleteIsAWrite
// Message: is refused with "not found"

//go:build wrong

package conflict

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[name]
	switch {
	case !ok && revision == 0:
		return 0, ErrNotFound
	case revision != 0 && revision != current.Revision:
		return 0, ErrConflict
	}
	s.revision++
	delete(s.objects, name)
	return s.revision, nil
}
