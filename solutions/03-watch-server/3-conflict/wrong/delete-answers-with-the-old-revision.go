// Breaks: "Delete returns the revision of the deletion."
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
	s.revision++
	delete(s.objects, name)
	return current.Revision, nil // wrong: that of the last write before
}
