// Misconception: Deleting what is gone has succeeded already.
// Caught by: TestDeleteIsAWrite
// Message: gone is gone

//go:build wrong

package conflict

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[name]
	switch {
	case !ok:
		return s.revision, nil
	case revision != 0 && revision != current.Revision:
		return 0, ErrConflict
	}
	s.revision++
	delete(s.objects, name)
	return s.revision, nil
}
