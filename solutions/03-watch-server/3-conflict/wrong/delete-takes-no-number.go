// Misconception: A deletion leaves no object, so it needs no revision.
// Caught by: TestDeleteIsAWrite
// Message: a deletion leaves nothing, so needs no number

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
	delete(s.objects, name)
	return s.revision, nil
}
